def rows(simd):
    return f"""
.decl A v_type=A num_elts=4
.decl T v_type=G type=d num_elts=16 align=GRF
mov (M1, {simd}) T(0,0)<1> r[A(4),0]<1;1,0>:d
mov (M1, {simd}) T(2,0)<1> T(0,0)<1;1,0>
shl (M1, {simd}) T(0,0)<1> T(0,0)<1;1,0> 0x21:d
mov (M1, {simd}) %thread_x(0,0)<1> T(0,0)<1;1,0>
"""
