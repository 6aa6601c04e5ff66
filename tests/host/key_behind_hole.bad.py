def decl(i, n):
    print(f".decl V{i} v_type=G num_elts={n} align=GRF")
