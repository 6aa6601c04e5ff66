def one(op, mod, p):
    return f"({p}) {op}.{mod} (M1, 16) dst(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0> c(0,0)<1;1,0>"
