def f(tl, x, fast):
    asm = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>" if fast else "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    return tl.inline_asm_elementwise(asm, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
