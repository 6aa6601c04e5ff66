def copied(execution, d, s):
    return f"mov ({execution}) {d}(0,0)<1> {s}(0,0)<1;1,0>\n"
