def emit_loop(n):
    code = []
    code.append("{")
    code.append(".decl C v_type=G type=d num_elts=16 align=GRF")
    code.append(".decl P1 v_type=P num_elts=16")
    code.append("mov (M1, 16) C(0,0)<1> 0x0:d")
    code.append("again_%=:")
    code.append("add (M1, 16) C(0,0)<1> C(0,0)<1;1,0> 0x1:d")
    code.append(f"cmp.lt (M1, 16) P1 C(0,0)<1;1,0> {n}:d")
    code.append("(P1) goto (M1, 16) again_%=")
    code.append("}")
    return "\n".join(code)
