def line(op, execution, d, a, b):
    return f"{op} ({execution}) {d}(0,0)<1> {a}(0,0)<1;1,0> {b}(0,0)<1,1,0>\n"
