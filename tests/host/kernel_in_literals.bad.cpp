const char *kernel =
    ".version 4.1\n"
    ".kernel \"k\"\n"
    ".decl A v_type=G type=d num_elts=8 align=GRF\n"
    "mov (M1_NM, 8) A(0,0)<1> 0x2a:d\n"
    "ad (M1_NM, 8) A(0,0)<1> A(0,0)<8;8,1> 0x1:d\n"
    "ret (M1, 1)\n";
