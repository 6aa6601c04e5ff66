def kernel(x, rows, is_early):
    lines = ["{"]
    lines.append(".decl acc v_type=G type=f num_elts=128 align=GRF")
    lines.append(".decl t v_type=G type=f num_elts=16 align=GRF")
    for r in range(rows):
        if r > 0:
            lines.append(f"mul (M1, 16) acc({r},0)<1> t(0,0)<1;1,0> t(0,0)<1;1,0>")
        lines.append("mov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>")
    if is_early:
        lines.append("jmp (M1, 1) end${:uid}")
    lines.append("mov (M1, 24) $0(0,0)<1> acc(0,0)<1;1,0>")
    lines.append("end${:uid}:")
    lines.append("}")
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
