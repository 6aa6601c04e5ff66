import triton.language as tl

CODE = "\n".join((
    "{",
    ".decl t v_type=G type=f num_elts=16 align=GRF",
    "mov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>",
    "mul (M1, 16) $0(0,0)<1> t(0,0)<1;1,0> 0x2",
    "}",
))


def double(x):
    return tl.inline_asm_elementwise(CODE, "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
