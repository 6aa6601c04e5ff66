def lines(i, note):
    out = []
    out.append(f"add (M1, 16) V{i}(0,0)<1> V41(0,0)<1;1,0> {note};")
    out.append(f"add (M1, 16) V{i}(0,0)<1> V41(0,0)<1;1,0> 0x1:d {note}; once")
    return out
