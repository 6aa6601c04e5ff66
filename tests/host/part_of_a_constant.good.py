EXEC = "(M1, 16)"
def line(d):
    return f"mov {EXEC} {d}(0,0)<1> s(0,0)<1;1,0>\n"
