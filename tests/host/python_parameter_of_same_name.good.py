def g(x):
    t = "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d"
    return tl.inline_asm_elementwise(t, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
def k(x, t):
    return tl.inline_asm_elementwise(t, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
k(1, "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>")
