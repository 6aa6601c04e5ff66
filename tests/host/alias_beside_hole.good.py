import triton.language as tl
def f(a, n):
    return tl.inline_asm_elementwise("""{
.decl V v_type=G type=d num_elts=16 align=GRF
.decl W v_type=G type=d num_elts=16 align=GRF
.decl A v_type=G type=d num_elts=%d alias=<V,0>
mov (M1, 16) A(0,0)<1> 0x1:d
add (M1, 16) $0(0,0)<1> V(0,0)<1;1,0> $1(0,0)<1;1,0>
}""" % n, "=rw,rw", [a], tl.int32, True, 1)
