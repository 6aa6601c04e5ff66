def cmp(cond):
    return f"cmp.{cond} (M1, 16) P5 a(0,0)<1;1,0> b(0,0)<1;1,0>"
