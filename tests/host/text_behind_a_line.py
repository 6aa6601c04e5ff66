# A text that goes on behind a line.
    asm = "{\n" + make(4) + shr\nmov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n}"
    return tl.inline_asm_elementwise(asm, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
