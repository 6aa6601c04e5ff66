# Names, lists and functions that are made of themselves: reading them ends.
import triton.language as tl

EACH = [line for line in EACH]
GROUP = (GROUP)
NAMED = NAMED
ONE = TWO
TWO = ONE
PAIRS = [a + b for a, b in PAIRS]
ADDED = ADDED + ADDED
ITEMS = ["mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", *ITEMS]
TEXT = "\n".join([TEXT, "// a"])
OPTIONAL = "// a\n" + ("" if X else OPTIONAL)
FIRST = FIRST[0]
KEY = {"a": KEY["a"]}["a"]
STRIP = STRIP.strip()
FORMAT = "{}".format(FORMAT)
PERCENT = "%s" % PERCENT
REPLACED = REPLACED.replace("a", "b")


def lines():
    return lines()


def yields():
    yield from yields()


def text():
    return text() + "\n"


def given(a):
    return given(a + "b")


def handed(a):
    return "\n".join(a)


def written(out):
    out.append("// a")
    written(out)
    return "\n".join(out)


class Emitter:
    def one(self):
        return self.two()

    def two(self):
        return self.one()


def run(x):
    for each in ("\n".join(EACH), "\n".join(GROUP), "\n".join((GROUP)), "\n".join(NAMED), "\n".join(ONE), "\n".join(PAIRS)):
        pass
    tl.inline_asm_elementwise("\n".join(EACH), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join([line for line in EACH]), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(GROUP), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join((GROUP)), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(NAMED), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(ONE), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(PAIRS), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(ADDED), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(ITEMS), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(lines()), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise("\n".join(yields()), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(TEXT, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(OPTIONAL, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(FIRST, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(KEY, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(STRIP, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(FORMAT, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(PERCENT, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(REPLACED, "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(text(), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(given("// a"), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(written([]), "=rw,rw", [x], tl.int32, True, 1)
    tl.inline_asm_elementwise(Emitter().one(), "=rw,rw", [x], tl.int32, True, 1)
