def kernel(x, rows):
    lines = ["{"]
    lines.append(".decl acc v_type=G type=f num_elts=128 align=GRF")
    lines.append(".decl lhs v_type=G type=f num_elts=16 align=GRF")
    lines.append("mov (M1, 16) lhs(0,0)<1> $1(0,0)<1;1,0>")
    for r in range(rows):
        lines.append(f"mul (M1, 16) acc({r},0)<1> lhs(0,0)<1;1,0> lhs(0,0)<1;1,0>")
    lines.append("mov (M1, 16) $0(0,0)<1> acc(0,0)<1;1,0>")
    lines.append("}")
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
