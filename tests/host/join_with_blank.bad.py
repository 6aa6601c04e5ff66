import triton.language as tl

S = ["shl (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d",
     "shr (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d"]

def f(x):
    return tl.inline_asm_elementwise(" ".join(S), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
