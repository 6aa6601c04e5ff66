def declared(name):
    return f".decl {name} v_type=G, type=f num_elts=16\n"
