def g(m, n):
    return f"add ({m}, {n}) dst(0,0)<1> a(0,0)<1;1,0> 0x1\n"
