OPS = {"add": "add", "max": "max"}


def text(kind, width):
    op = {"add": "add", "max": "maxx"}[kind]
    size = {"narrow": 8, "wide": 16}.get(width)
    other = OPS.get(kind, "add")
    return f"{op} (M1, {size}) a(0,0)<1> a(0,0)<1;1,0> 0x1:d\n{other} (M1, 16) a(0,0)<1> a(0,0)<1;1,0> 0x1:d\n"
