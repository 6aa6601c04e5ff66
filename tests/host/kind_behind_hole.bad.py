def decl(i, n):
    print(f".decl P{i} v_type=Pred num_elts={n}")
