import triton.language as tl
WIDTH = 16
def f(a):
    return tl.inline_asm_elementwise("mvo (M1, %d) $0(0,0)<1> $1(0,0)<1;1,0>" % WIDTH, "=rw,rw", [a], tl.int32, True, 1)
