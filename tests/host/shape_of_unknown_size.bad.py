def store(a, d, bits, w, h):
    return f"lsc_store_block2d.ugm (M1, 1) flat[{a}+(0,0)] {d}:d{bits}.{w}x{h}nx\n"
