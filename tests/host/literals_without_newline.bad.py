import triton.language as tl

T = ("shl (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d"
     "not (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0>")

def f(x):
    return tl.inline_asm_elementwise(T, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
