def rows(simd, n):
    return f"""
.decl A v_type=A num_elts=4
.decl T v_type=G type=d num_elts=16 align=GRF
mov (M1, {simd}) T(0,0)<1> r[A(3),0]<1;1,0>:d
mov (M1, {simd}) T(0,8)<1> T(0,0)<1;1,0>
shl (M1, {simd}) T(0,0)<1> T(0,0)<1;1,0> 0x1f:d
mov (M1, {simd}) T(0,0)<1> T(0,0)<1;1,0>
.decl S v_type=G type=ud num_elts={n} align=GRF
.decl C v_type=G type=ud num_elts=256 align=GRF
.decl D v_type=G type=f num_elts={n} alias=<S,0>
dpas.bf.bf.8.1 (M1, {simd}) D.0 %null.0 S.0 C(0,0)
"""
