"""Prints a GEMM kernel."""

def gemm(m, n):
    out = []
    out.append(".version 4.2")
    out.append('.kernel "gemm"')
    out.append('.kernel_attr SimdSize=16')
    for i in range(m):
        out.append(f".decl acc{i} v_type=G type=f num_elts=16 align=GRF")
    for i in range(m):
        out.append(f"mov (M1, 16) acc{i}(0,0)<1> 0x0:f")
    out.append("ret (M1, 1)")
    return "\n".join(out)

print(gemm(4, 4))
