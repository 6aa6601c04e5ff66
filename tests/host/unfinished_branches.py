# A format that goes on behind its last line.
    s = f"""{{
      .decl tmp v_type=G type=f num_elts={n} align=wordx32
    }decl"""
    return tl.inline_asm_elementwise(s, "=rw,rw", [1.0], dtype=tl.float32, is_pure=True, pack=1)

# Operands of two branches.
    args = [x]
        args = [x, y]
    t = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
        c = "=rw,rw,rw"
    return tl.inline_asm_elementwise(t, c, args, dtype=tl.int32, is_pure=True, pack=1)

# A branch without its condition.
    if m:
        t = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n"
    def:
        t = "not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n"
    return tl.inline_asm_elementwise(t, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

# A name that is not declared, behind a mnemonic that is one of several.
        yield tl.inline_asm_elementwise(f"{op} (M1, 16) $0(0,0)<1> def1(0,0)<1;1,0> $2(0,0)<1;1,0>", "=rw,rw,rw", [1, 2], dtype=tl.int32, is_pure=True, pack=1)

# An operand that is misspelt, behind a mnemonic that is one of several.
    for op in ("add", "mul", "divide"):
        yield tl.inline_asm_elementwise(f"{op} (M1, 16) $0(0asr0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", "=rw,rw,rw", [1, 2], dtype=tl.int32, is_pure=True, pack=1)

# Constraints that are a word.
S = ["shl (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d",
     "shr (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d"]
    return tl.inline_asm_elementwise(r"\n".join(S), "inline_asm_elementwiserw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

# Labels whose names the host makes.
TEXT = "\n".join([
    "{",
    ".decl c v_type=P num_elts=16",
    "top${:1}:",
    "(c) goto (M1, 16) top${:uid}",
    "}",
])
    return tl.inline_asm_elementwise(TEXT, "=rw,rw", [x], tl.int32, True, 1)

# An assignment within a branch that is not one.
    else1
        c = "=rw,rw"
        t = "1 (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    return tl.inline_asm_elementwise(t, c, [x], dtype=tl.int32, is_pure=Truerw pack=1)

# A function whose parameters are not closed.
def gen(f, ni:
    f.write('  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>" : "+rw"(v) : "rw"(v));\n')
    f.write('}\n')

# A line of the host within a statement.
    y = tl.inline_asm_elementwise(
        """
    offsets = tl.arange(0, BLOCK)
            add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1
        """,

# A line of another compiler within a statement.
    hi, lo = tl.inline_asm_elementwise(
        asm="""
#loc = loc("/tmp/k.py":12:0)
            shr (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0> 0x10:ud
        """,

# A statement without constraints.
    return tl.inline_asm_elementwise(
        asm="mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $1(0,0)<1> $4(0,0)<1;1,0>".replace("$1(0,0)<1;1,0>\n", "$2(0,0)<1;1,0>\n"),
        dtype="=rw,=rw,rw,rw",
