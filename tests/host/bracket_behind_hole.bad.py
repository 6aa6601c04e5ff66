def ld(d, a):
    return f"lsc_load.ugm (M1, 16) {d}:d32 flat[{a}:a64"
