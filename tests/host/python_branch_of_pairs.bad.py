def k(x, y, two):
    args = [x]
    c = "=rw,rw"
    t = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    if two:
        args = [x, y]
        c = "=rw,rw,rw"
        t = "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $3(0,0)<1;1,0>"
    return tl.inline_asm_elementwise(t, c, args, dtype=tl.int32, is_pure=True, pack=1)
