DECL = ".decl sum v_type=G type=f num_elts=16 align=GRF\n"
BODY = """{
.decl own v_type=G type=f num_elts=16 align=GRF
mov (M1, 16) own(0,0)<1> sum(0,0)<1;1,0>
mov (M1, 16) $0(0,0)<1> own(0,0)<1;1,0>
}"""
TEXT = DECL + BODY
