import io


def mask(n):
    out = io.StringIO()
    print("{", file=out)
    print(".decl m v_type=G type=f num_elts=16 align=GRF", file=out)
    if n:
        print("mov (M1, 16) m(0,0)<1> 0x0:ud", file=out)
    print("and (M1, 16) m(0,0)<1> m(0,0)<1;1,0> 0x7fffffff:ud", file=out)
    print("mov (M1, 16) m(0,0)<1> ", n, file=out)
    print("}", file=out)
    return out.getvalue()
