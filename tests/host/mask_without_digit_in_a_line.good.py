def lines(i):
    out = []
    out.append(f"mov (M1, 16) acc{i}(0,0)<1> 0x0:d")
    out.append(f"add (M1, 16) acc{i}(0,0)<1> {i + 1} acc{i}(0,0)<1;1,0>")
    return out
