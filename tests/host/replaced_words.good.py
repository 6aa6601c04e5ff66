BASE = "OP (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>"
REST = "mov (M1, 16) TYPE(0,0)<1> s(0,0)<1;1,0>\n.decl t v_type=G type=TYPE num_elts=16 align=GRF\n"
def one(a, b):
    return tl.inline_asm_elementwise(BASE.replace("OP", "add"), "=rw,rw,rw", [a, b], dtype=tl.float32, is_pure=True, pack=1)
def two(name):
    return REST.replace("TYPE", name)
