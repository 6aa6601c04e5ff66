def decl(i, n):
    print(f".decl V{i} v_type=G type=ud num_elts={n} align=GRF")
