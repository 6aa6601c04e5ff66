# A word that is put in later is no type, and no label.
HEAD = ".decl t v_type=G type=TYPE num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> s(0,0)<1;1,0>\n"
def fill(name):
    return HEAD.replace("TYPE", name)
def jump(n):
    print("row1:")
    print("(P1) goto (M1, 16) row2")
    print("skip_a:")
    print("(P1) goto (M1, 16) skip_b")
    print("begin:")
    print("(P1) goto (M1, 16) begin")
    print("(P1) goto (M1, 16) begn")
