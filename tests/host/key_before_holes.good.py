def declared(name, n, align):
    return f".decl {name} v_type=G type=f num_elts={n}{f' align={align}' if align else ''}\n"
