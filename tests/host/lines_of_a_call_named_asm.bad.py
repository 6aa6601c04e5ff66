def prologue(asm):
    asm(".decl A v_type=G type=ud num_elts=16 align=GRF",
        ".decl B v_type=G type=ud num_elts=16 align=GRF",
        "mov (M1, 16) A(0,0)<1> 0xZZ:ud",
        "mov (M1, 16) B(0,0)<1> A(0,0)<1;1,0>")
