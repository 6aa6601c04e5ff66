import triton.language as tl

def body(n):
    lines = ["{"]
    lines.append(".decl sumv v_type=G type=d num_elts=16 align=hword")
    lines.append("mov (M1, 16) sumv(0,0)<1> 0x0:d")
    for i in range(n):
        lines.append("add (M1, 16) sumv(0,0)<1> sunv(0,0)<1;1,0> $1(0,0)<1;1,0>")
    lines.append("mov (M1, 16) $0(0,0)<1> sumv(0,0)<1;1,0>")
    lines.append("}")
    return "\n".join(lines)
