def decl(i, n):
    print(f".decl P{i} v_type=P num_elts={n}")
