def add(d, a):
    return f"add (M1, 16) {d}(0,0)<1> {a}(0,0)<1;1,0>\n"
