BODY = """
.decl acc v_type=G type=@KIND@ num_elts=${N} align=GRF
mov (M1, 16) acc(~ROW~,0)<1> 0x0:f
maad (M1, 16) @DST@(0,0)<1> acc(#ROW#,0)<1;1,0> a__I__(0,0)<1;1,0> b(0,0)<0;1,0>
"""


def filled(renderer, n):
    return renderer(BODY, n)
