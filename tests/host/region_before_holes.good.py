def operand(name):
    return f"{name}(0,0)<1;1,0>"


def added(d, a, b):
    return f"add (M1, 16) {d}(0,0)<1> {operand(a)} {operand(b)}\n"
