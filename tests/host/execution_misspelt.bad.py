T = "({mask}) mov (M1 16) {d}(0,0)<1> {s}(0,0)<1;1,0>"
def moves(pairs):
    return "\n".join(T.format(mask="P1", d=d, s=s) for d, s in pairs)
STEP = "add (M1NM, 1) T(0,0)<1> T(0,0)<0;1,0> T(0,1)<0;1,0>"
