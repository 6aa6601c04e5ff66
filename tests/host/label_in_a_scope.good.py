ASM = """{
    .decl acc v_type=G type=f num_elts=16 align=GRF
    .decl p v_type=P num_elts=16
    mov (M1, 16) acc(0,0)<1> $1(0,0)<1;1,0>
again:
    add (M1, 16) acc(0,0)<1> acc(0,0)<1;1,0> $2(0,0)<1;1,0>
    cmp.lt (M1, 16) p acc(0,0)<1;1,0> 0x41000000:f
    (p) goto (M1, 16) again
    mov (M1, 16) $0(0,0)<1> acc(0,0)<1;1,0>
}"""
