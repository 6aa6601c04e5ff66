SIZES = {"narrow": 8, "wide": 16}


def text(width):
    size = SIZES.get(width)
    return f"mov (M1, {size}) a(0,0)<1> 0x1:d\n"
