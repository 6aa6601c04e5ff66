import textwrap
lines = [
    "{",
    ".decl T v_type=G type=d num_elts=16",
    "mov (M1, 16) T(0,0)<1> $1(0,0)<1;1,0>",
    "add (M1, 16) $0(0,0)<1> T(0,0)<1;1,0> 0x1:d",
    "}",
]
body = "\n".join(textwrap.dedent(l) for l in lines)

@triton.jit
def k(x):
    return tl.inline_asm_elementwise(asm=body, constraints="=rw,rw", args=[x], dtype=tl.int32, is_pure=True, pack=1)
