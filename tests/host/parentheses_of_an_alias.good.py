VIEW = """
.decl %(name)s_W v_type=G type=uw num_elts=%(n)d alias=<%(name)s,0>
mov (M1, 16) %(name)s_W(0,0)<2> %(from)s(0,0)<1;1,0>
"""
