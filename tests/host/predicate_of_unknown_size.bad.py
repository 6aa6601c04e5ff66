def sel(n):
    return f"""{{
    .decl q v_type=P num_elts={n}
    .decl a v_type=G type=d num_elts={n} align=GRF
    mov (M1, {n}) a(0,0)<1> 0x0:d
    cmp.lt (M1, {n}) q a(0,0)<1;1,0> 0x0:d
    (q) sel (M1, {n}) a(0,0)<1> q(0,0)<1;1,0> 0x1:d
}}"""
