# A text that is repeated no times.
    a = tl.inline_asm_elementwise((MOV + "\n") * 0, "=rw,rw", [x], tl.int32, True, 1)
