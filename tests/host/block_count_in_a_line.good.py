head = "{\n" + ".decl buf v_type=G type=ud num_elts=32 align=GRF\n"
load = lambda n: head + "oword_ld (" + n + ") T6 0x0:ud buf.0\n" + "}\n"
fixed = head + "oword_ld (4) T6 0x0:ud buf.0\n" + "}\n"
