# Texts that are made of others: in chains longer than is followed, in circles, and in every list.
import functools
import io
import triton.language as tl

MOV = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
A00 = MOV
A01 = A00; A02 = A01; A03 = A02; A04 = A03; A05 = A04; A06 = A05; A07 = A06; A08 = A07; A09 = A08; A10 = A09
A11 = A10; A12 = A11; A13 = A12; A14 = A13; A15 = A14; A16 = A15; A17 = A16; A18 = A17; A19 = A18; A20 = A19
SELF = SELF
ONE = TWO
TWO = ONE
FORMATTED = f"{FORMATTED}"
LISTED = [LISTED, MOV]
JOINED = "\n".join(JOINED)
ITEM = [MOV, ITEM[0]]
OWN = OWN[0]
KEYED = {"a": KEYED["a"]}
PAIRS = {"a": MOV, **KEYED}
MIXED = [MOV, 1, None]
NESTED = [[MOV], [MOV, MOV]]
STRIPPED = [" // a ", " // b "]
EMPTY = []
NOTHING = ""
TUPLE = MOV, "// b"
SLICED = [MOV, "// b", "// c"]
REPEATED = ["// a"] * 3
ADDED = ["// a"] + ["// b"] + [MOV]
ANNOTATED: list[str] = [MOV]
FIRST, *REST = [MOV, "// b"]
(GROUPED) = MOV
CONTINUED = "mov (M1, 16) " \
    "$0(0,0)<1> $1(0,0)<1;1,0>"
TIMES = ("// a\n" * 3) + MOV
MANY = "// a\n" * 100000
EMPTIED = [MOV]
EMPTIED.clear()
SORTED = sorted([MOV])


def same(text):
    return text


def circle(text):
    return circle(text)


def first(text=MOV):
    return second(text)


def second(text):
    return first(text)


def steps(n):
    yield "// a"
    yield from steps(n)
    yield MOV


def written(out):
    out.write(MOV)


def two(a, b="$1", *rest, c="(0,0)<1;1,0>", **more):
    return "mov (M1, 16) " + a + " " + b + c


def inner():
    def nested():
        return MOV
    return nested()


def branches(n):
    if n == 1:
        text = "// one"
    elif n == 2:
        text = "// two"
        return MOV
    else:
        text = MOV
        for i in range(n):
            text += "// more"
        while n:
            text += "// again"
        try:
            text = MOV
        except ValueError:
            text = "// bad"
        finally:
            text += ""
        with n as m:
            text += "\n"
    return text


class Emitter:
    text = MOV
    lines = [MOV]

    def __init__(self, text=MOV):
        self.given = text
        self.out = io.StringIO()

    def emit(self):
        self.out.write("// a\n")
        self.out.write(self.text)
        print(self.text, file=self.out)
        print(self.text, end="", file=self.out)
        print("// a", "// b", sep="\n", file=self.out)
        return self.out.getvalue()

    @property
    def value(self):
        return self.text

    @classmethod
    def other(cls):
        return cls.text


asm = tl.inline_asm_elementwise
part = functools.partial(tl.inline_asm_elementwise, pack=1)
bound = functools.partial(tl.inline_asm_elementwise, MOV, "=rw,rw")
called = functools.partial(asm, constraints="=rw,rw", is_pure=True)()
other = partial
lambda_text = lambda n: MOV


def kernels(x, n, flag, text):
    y = asm(A05, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(A20, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(SELF, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(ONE, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(FORMATTED, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(OWN, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(GROUPED, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(CONTINUED, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(TIMES, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MANY, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(NOTHING, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(FIRST, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(REST[0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(UNKNOWN, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(text, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(x, "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(A00), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(LISTED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(JOINED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(ITEM), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(MIXED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(NESTED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(NESTED[0]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(EMPTY), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(TUPLE), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(SLICED[1:]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(SLICED[:1]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(SLICED[-1:]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(REPEATED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(ADDED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(ANNOTATED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(REST), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(EMPTIED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(SORTED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("".join(SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(", ".join(SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(NOTHING.join(SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(A00.join(SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(r"\n".join(SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(f"\n".join(SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(SLICED, n), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(s.strip() for s in STRIPPED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([s.strip() for s in STRIPPED]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(s.rstrip() + "x" for s in STRIPPED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(s for s in STRIPPED if s), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(s for t in NESTED for s in t), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(str(s) for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(str(x, s) for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(s(s) for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(t for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(s.unknown() for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(s, strip() for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(same(s) for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(map(str, SLICED)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(map(str.strip, STRIPPED)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(filter(None, SLICED)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(list(SLICED)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(list(tuple(SLICED))), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join((SLICED)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(((MOV,))), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(set(SLICED)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(f"// {i}" for i in range(2)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(f"// {i}" for i, s in enumerate(SLICED)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(steps(1)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(list(steps(1))), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join(MOV if flag else s for s in SLICED), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([MOV if flag else "// c"]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([MOV] if flag else []), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([MOV] + ([] if flag else ["// d"])), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([MOV, *SLICED[1:], *UNKNOWN]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([[MOV]][0]), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([MOV] * n), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([MOV] * 0), "=rw,rw", [x], tl.int32, True, 1)
    y = asm("\n".join([MOV] * 1000000), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(same(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(same(text=MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(same(same(same(MOV))), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(same(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(circle(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(first(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(second(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(two("$0(0,0)<1>"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(two("$0(0,0)<1>", "$1"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(two("$0(0,0)<1>", c="(0,0)<0;1,0>"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(two(b="$1", a="$0(0,0)<1>"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(two(*TUPLE), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(inner(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(branches(1), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(branches(n), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(lambda_text(1), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(unknown(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(same(MOV).strip(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(same(MOV)[0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter().emit(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter(MOV).emit(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter.text, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter.lines[0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter().value, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter.other(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter().given, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(Emitter().unknown(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(self.text, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(KEYED["a"], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(PAIRS["a"], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(PAIRS["b"], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(PAIRS.get("a"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(PAIRS.get("b", MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(PAIRS.get("b"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(PAIRS[n], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(PAIRS[text], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(dict(a=MOV)["a"], "=rw,rw", [x], tl.int32, True, 1)
    y = asm({"a": MOV}["a"], "=rw,rw", [x], tl.int32, True, 1)
    y = asm({"a": MOV, "b": "// b"}[text], "=rw,rw", [x], tl.int32, True, 1)
    y = asm([MOV, "// b"][0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm([MOV, "// b"][n], "=rw,rw", [x], tl.int32, True, 1)
    y = asm((MOV, "// b")[1], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(SLICED[0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(SLICED[3], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(SLICED[-4], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(SLICED[n], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(NESTED[0][0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(NESTED[1][n], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.strip(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.strip().upper(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.replace("16", "8"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.replace("$1", "$0").replace("mov", "not"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.replace("16", str(n)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.replace(text, "8"), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.format(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.splitlines()[0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.split(" ")[0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.unknown(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV.strip, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV[4:], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV[:-1], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV[0], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV * 2, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(2 * MOV, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV * n, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV % n, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV % (), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV + n, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV + str(n), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV + str(16), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(n + MOV, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV or text, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(text or MOV, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV and text, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(not MOV, "=rw,rw", [x], tl.int32, True, 1)
    y = asm((MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(((MOV)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm((MOV, ), "=rw,rw", [x], tl.int32, True, 1)
    y = asm([MOV], "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV if flag else None, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(None if flag else MOV, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV if flag else A05 if n else "// c", "=rw,rw", [x], tl.int32, True, 1)
    y = asm((MOV if flag else "// c") + "// d", "=rw,rw", [x], tl.int32, True, 1)
    y = asm((lambda: MOV)(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(tl.constexpr(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(str(str(MOV)), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(repr(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(textwrap.dedent(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(textwrap.indent(MOV, "  "), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(inspect.cleandoc(MOV), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(io.StringIO(MOV).getvalue(), "=rw,rw", [x], tl.int32, True, 1)
    y = asm(await text, "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV; y = 1, "=rw,rw", [x], tl.int32, True, 1)
    y = asm("mov (M1, 16) " "$0(0,0)<1>" + " $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    y = asm("mov" " (M1, 16) $0(0,0)<1> " f"{'$1'}(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    y = asm("a" "b" if flag else MOV, "=rw,rw", [x], tl.int32, True, 1)
    y = asm("""mov (M1, 16) $0(0,0)<1>""" + " $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    y = asm(MOV, "=rw,rw", [x], (tl.int32), True, 1)
    y = asm(MOV, "=rw,rw", [x], (tl.int32,), True, 1)
    y = asm(MOV, "=rw,=rw,rw", [x], (tl.int32, tl.float16), True, 2)
    y = asm(MOV, "=rw,rw", [x], [tl.int32], True, 1)
    y = asm(MOV, "=rw,rw", [x], (tl.int32, n), True, 1)
    y = asm(MOV, "=rw,rw", [x], (,), True, 1)
    y = asm(MOV, "=rw,rw", [x], x.dtype, True, 1)
    y = asm(MOV, "=rw,rw", [x], tl.bfloat16, True, 4)
    y = asm(MOV, "=rw,rw", [x], tl.float8e5, True, 4)
    y = asm(MOV, "=rw,rw", [x], tl.int1, True, 1)
    y = asm(MOV, "=rw,rw", [x], torch.int32, True, 1)
    y = asm(MOV, "=rw,rw", [x], "int32", True, 1)
    y = asm(MOV, "=rw,rw", [], tl.int32, True, 1)
    y = asm(MOV, "=rw,rw", [x, n], tl.int32, True, 1)
    y = asm(MOV, "=rw,rw", [x, *n], tl.int32, True, 1)
    y = asm(MOV, "=rw,rw", [i for i in x], tl.int32, True, 1)
    y = asm(MOV, "=rw,rw", x, tl.int32, True, 1)
    y = asm(MOV, "=rw,rw", args=[x,], dtype=tl.int32, is_pure=True, pack=1)
    y = asm(MOV, "=rw,rw", args=[x, n], dtype=tl.int32, is_pure=True, pack=2)
    y = asm(MOV, constraints="=rw,rw", args=(x, n), dtype=tl.int32, is_pure=True, pack=1000)
    y = asm(MOV, ("=rw," "rw"), [x], tl.int32, True, 1)
    y = asm(MOV, "=rw" ",rw", [x], tl.int32, True, 1)
    y = asm(MOV, ",".join(["=rw"] + ["rw"] * 1), [x], tl.int32, True, 1)
    y = asm(MOV, "=rw" + n, [x], tl.int32, True, 1)
    y = asm(MOV, text, [x], tl.int32, True, 1)
    y = asm(MOV, "=r,r", [x], tl.int32, True, 1)
    y = asm(MOV, "", [], tl.int32, True, 1)
    y = asm(MOV)
    y = asm()
    y = asm("=rw,rw")
    y = asm(MOV, "=rw,rw", [x], tl.int32, is_pure=True)
    y = asm(asm=MOV, constraints="=rw,~{memory},rw,!x", args=[x], dtype=tl.int32, is_pure=True, pack=1)
    y = asm("// nothing", "=rw,rw", [x], tl.int32, True, 1)
    y = asm("movq %rax, %rbx", "=r,r", [x], tl.int32, True, 1)
    y = part(MOV, "=rw,rw", [x], tl.int32, True)
    y = bound([x], tl.int32, True, 1)
    y = called(MOV)
    y = other(MOV, "=rw,rw", [x])
    y = tl.unknown_asm(MOV, "=rw,rw", [x], tl.int32, True, 1)
    y = builder.create_inline_asm(MOV, "=rw,rw", [x], [tl.int32], True, 1)
    y = llvm.inline_asm(MOV, "=rw,rw", [x])
    y = ir.InlineAsm(type, MOV, "=rw,rw", True)
    y = InlineAsm(type, MOV, text, True)
    for line in STRIPPED:
        y = asm(line, "=rw,rw", [x], tl.int32, True, 1)
    for line in [MOV, "// b"]:
        y = asm(line + "\n" + MOV, "=rw,rw", [x], tl.int32, True, 1)
    for i, line in enumerate(SLICED):
        y = asm(line, "=rw,rw", [x], tl.int32, True, 1)
    for line, width in zip(SLICED, [8, 16]):
        y = asm(line, "=rw,rw", [x], tl.int32, True, 1)
    for i in range(0, 8, 2):
        y = asm(f"mov (M1, 16) $0(0,0)<1> $1({i},0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    y = asm(line, "=rw,rw", [x], tl.int32, True, 1)
    if n: late = MOV
    y = asm(late, "=rw,rw", [x], tl.int32, True, 1)
    if n: late = MOV; late += "// x"
    else: late = "// y"
    y = asm(late, "=rw,rw", [x], tl.int32, True, 1)
    late = late.strip()
    late = late + "\n// z"
    y = asm(late, "=rw,rw", [x], tl.int32, True, 1)
    late = [MOV]
    late.append("// a"), late.extend(["// b"])
    late.insert(0, "// c")
    late += "// d",
    late[0] = "// e"
    late.unknown("// f")
    y = asm("\n".join(late), "=rw,rw", [x], tl.int32, True, 1)
    late = {}
    late["a"] = MOV
    y = asm(late["a"], "=rw,rw", [x], tl.int32, True, 1)
    out = io.StringIO()
    out.write("mov (M1, 16) ")
    out.write("$0(0,0)<1> $1(0,0)<1;1,0>")
    written(out)
    y = asm(out.getvalue(), "=rw,rw", [x], tl.int32, True, 1)
    with open("kernel.visaasm", "w") as f:
        f.write(".version 4.1\n")
        f.write('.kernel "k"\n')
        f.writelines(["mov (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>\n"])
        print("ret (M1, 1)", file=f)
    return y; y = MOV
    y = asm(y, "=rw,rw", [x], tl.int32, True, 1)
