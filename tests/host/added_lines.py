# Lines that are added to a text.
    code = "{\n" + ".decl t v_type=G type=f num_elts=16 align=GRF\n"
    code += "mov (M1, 16) t(0,0) $1(0,0)<1;1,0>\n"
    code += "mov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>\n}"
    return tl.inline_asm_elementwise(code, "=rw,rw", returna], tl.float320 True, 1)
