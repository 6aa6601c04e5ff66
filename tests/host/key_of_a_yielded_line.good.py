def declarations(all):
    for name, kind, n in all:
        yield f".decl {name} v_type=G type={kind} num_elts={n} align=GRF"
