def go(a, b):
    x = f"mov (M1, 16) {a}(0,0)<1> {b}(0,0)<1;1,0>\n"
    return x + f"add sum(0,0)<1> {b}(0,0)<1;1,0> 0x1:d\n"
