def alias(i, n, off):
    print(f".decl V{i} v_type=G type=ud num_elts={n} alias=<V{i-1}, {off}")
