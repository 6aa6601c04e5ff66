# Texts of statements as Python puts them together.
import functools
import triton.language as tl

MOV = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
KINDS = {"copy": MOV, "negate": "mov (M1, 16) $0(0,0)<1> (-)$1(0,0)<1;1,0>"}
LIST = [MOV, "// second", "// third"]
PAIR = (MOV, "// pair")
WIDTHS = {8: "M1, 8", 16: "M1, 16"}
FIRST, SECOND = "mov (M1, 16)", "$0(0,0)<1>"
LINES = ["// a", MOV]
LINES.append("// b")
LINES += ["// c"]
LINES.extend(["// d", "// e"])
LINES.insert(0, "// z")
LINES[1] = "// y"


def statement(op, width=16, mask="M1"):
    return f"{op} ({mask}, {width}) $0(0,0)<1> $1(0,0)<1;1,0>"


def either(flag):
    if flag:
        return "// yes"
    return "// no"


def yielded():
    yield "// one"
    yield MOV


def several(n):
    out = []
    for i in range(n):
        out.append("// step")
    out.append(MOV)
    return "\n".join(out)


class Texts:
    COPY = MOV

    def text(self):
        return self.COPY

    @staticmethod
    def fixed():
        return MOV


asm16 = functools.partial(tl.inline_asm_elementwise, constraints="=rw,rw", dtype=tl.int32, is_pure=True, pack=1)


def kernels(x, y, flag, n):
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(asm=MOV, constraints="=rw,rw", args=[x], dtype=tl.int32, is_pure=True, pack=1)
    a = tl.inline_asm_elementwise(KINDS["copy"], "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(KINDS[flag], "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(KINDS.get("copy"), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(KINDS.get("what", MOV), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(LIST[0], "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(LIST[-1], "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(LIST[n], "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(PAIR[0], "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(FIRST + " " + SECOND + " $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(LINES), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(LIST), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join([MOV, *LIST]), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(LIST + [MOV]), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join([MOV] * 2), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(2 * [MOV]), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(reversed(LIST)), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(tuple(LIST)), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(line for line in LIST), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join([f"// {i}" for i in range(2)]) + "\n" + MOV, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(yielded()), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(statement("mov"), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(statement("mov", 8), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(statement("mov", mask="M1_NM"), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(statement(op="mov", width=8), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(statement(op="mov", width=n), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(either(flag) + "\n" + MOV, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(several(2), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(Texts.COPY, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(Texts.fixed(), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(Texts().text(), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV if flag else "// none", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise((MOV), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov (%s) $0(0,0)<1> $1(0,0)<1;1,0>" % "M1, 16", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov (%s, %d) $0(0,0)<1> $1(0,0)<1;1,0>" % ("M1", 16), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov (%(m)s, 16) $0(0,0)<1> $1(0,0)<1;1,0>" % {"m": "M1"}, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov (M1, %02d) $0(0,0)<1> $1(0,0)<1;1,0>" % n, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov ({}) $0(0,0)<1> $1(0,0)<1;1,0>".format("M1, 16"), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov ({0}, {1}) $0(0,0)<1> $1(0,0)<1;1,0>".format("M1", 16), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov ({m}, {w}) $0(0,0)<1> $1(0,0)<1;1,0>".format(w=16, m="M1"), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov ({m}, {w:d}) $0(0,0)<1> $1(0,0)<1;1,0>".format(m="M1", w=16), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov ({[0]}) $0(0,0)<1> $1(0,0)<1;1,0>".format(LIST), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("{{\nmov ({}) $0(0,0)<1> $1(0,0)<1;1,0>\n}}".format("M1, 16"), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(f"mov ({WIDTHS[16]}) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(f"mov ({WIDTHS[n]}) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(f"mov (M1, {8 * 2}) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(f"mov (M1, {n!s}) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(f"mov (M1, {n:>2}) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(rf"mov (M1, {16}) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(r"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov (M1, 16) " "$0(0,0)<1> " "$1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("mov (M1, 16) \
$0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\x6dov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\155ov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("""
        mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>
    """, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV.replace("16", "8"), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV.upper(), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV.strip().lower(), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV + "\n" * 2, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise((MOV + "\n") * 2, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(str(MOV), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(tl.constexpr(MOV), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw,rw", [x, y], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", (x,), tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=2)
    a, b = tl.inline_asm_elementwise(MOV, "=rw,=rw,rw", [x], (tl.int32, tl.int16), True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], tl.int32, True, pack=n)
    a = tl.inline_asm_elementwise(MOV, ",".join(["=rw", "rw"]), [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw," + "rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw" + ",rw" * 2, [x, y], tl.int32, True, 1)
    a = asm16(MOV, args=[x])
    text = MOV
    text += "\n// more"
    a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    if flag:
        text = "// other"
    else:
        text = MOV
    a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    text = MOV if flag else "// none"
    a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    for text in LIST:
        a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    for op, text in KINDS.items():
        a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    for i in range(3):
        a = tl.inline_asm_elementwise(f"mov (M1, 16) $0(0,0)<1> $1({i},0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    with open("x") as f:
        a = tl.inline_asm_elementwise(f.read(), "=rw,rw", [x], tl.int32, True, 1)
    match n:
        case 1:
            text = MOV
        case _:
            text = "// x"
    a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    text: str = MOV
    a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    if (walrus := MOV):
        a = tl.inline_asm_elementwise(walrus, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise((lambda t: t)(MOV), "=rw,rw", [x], tl.int32, True, 1)
    return a
