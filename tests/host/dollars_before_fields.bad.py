def add(a, b):
    return f"add (M1, 16) ${a}(0,0)<1> ${b}(0,0)<1> ${b}(0,0)<1;1,0>\n"
