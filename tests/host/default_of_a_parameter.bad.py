def line(d, ex="(M1, 10)"):
    return f"mov {ex} {d}(0,0)<1> s(0,0)<1;1,0>\n"
