import io


def mask():
    lines = ["{"]
    lines.append(".decl m v_type=G type=ud num_elts=16 align=GRF")
    lines.append("and (M1, 16) m(0,0)<1> m(0,0)<1;1,0> 0x7fffffff:ud")
    lines.append("}")
    return "\n".join(lines)


def count():
    out = io.StringIO()
    out.write(".decl c v_type=G type=d num_elts=16 align=GRF\n")
    out.write("add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x1:d\n")
    return out.getvalue()
