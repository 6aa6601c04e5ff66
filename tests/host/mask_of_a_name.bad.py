MASK = "M1_NN"
def line(n):
    return f"add ({MASK}, 16) a(0,0)<1> a(0,0)<1;1,0> {n}:d\n"
