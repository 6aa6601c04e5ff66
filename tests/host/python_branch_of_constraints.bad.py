def k(x, uniform):
    if uniform:
        c = "=rw,rw.v"
        t = "mov (M1, 16) $0(0,0)<1> $1(0,0)<0;1,0>"
    else:
        c = "=rw,rw"
        t = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    return tl.inline_asm_elementwise(t, c, [x], dtype=tl.int32, is_pure=True, pack=1)
