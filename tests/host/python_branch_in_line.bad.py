def k(x, two):
    t = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    if two: t = "not (M1, 16) $0(0,0)<1> $1(0,0)<1;1>"
    return tl.inline_asm_elementwise(t, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
