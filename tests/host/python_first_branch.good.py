def k(x, mode: tl.constexpr):
    if mode == 0:
        op = "not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    elif mode == 1:
        op = "not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    else:
        op = "mov (M1, 16) $0(0,0)<1> (-)$1(0,0)<1;1,0>"
    return tl.inline_asm_elementwise(op, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
