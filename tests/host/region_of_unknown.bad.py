def f(name):
    return f"add (M1, 16) {name}(0,0)<1> {name}(0,0)<1,0> 0x1:d\n"
