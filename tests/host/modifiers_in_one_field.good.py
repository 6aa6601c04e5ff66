def lines(what, i):
    out = []
    out.append(f"dpas.bf.{what}.4 (M1, 16) V50.0 V50.0 V51.0 V52(0,0)")
    out.append(f"dpas.{what}.4 (M1, 16) V50.0 V50.0 V51.0 V52({i},0)")
    return out
