N = 12
def go():
    return f"mov (M1, {N}) d(0,0)<1> s(0,0)<1;1,0>\n" + f"add (M1, {N}) d(0,0)<1> s(0,0)<1;1,0> 0x1:d\n"
