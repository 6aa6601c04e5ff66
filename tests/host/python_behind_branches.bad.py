def k(x, m):
    if m:
        t = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n"
    else:
        t = "not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n"
    t += "add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1\n"
    return tl.inline_asm_elementwise(t, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
