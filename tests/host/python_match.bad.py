def k(x, m):
    match m:
        case 0:
            t, c = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw"
        case _:
            t = "not (M1, 16) $0(0,0)<1> $1(0,0)<1>"
            c = "=rw,rw"
    return tl.inline_asm_elementwise(t, c, [x], dtype=tl.int32, is_pure=True, pack=1)
