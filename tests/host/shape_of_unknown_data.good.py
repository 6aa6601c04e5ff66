def load(data, address, n):
    return f"lsc_load_block2d.ugm (M1, 1) {data}:d32.8x16tn flat[{address}+(0,0)]\n"


def wider(data, address, n):
    return f"lsc_load.ugm (M1_NM, 1) {data}:d32x{n}t flat[{address}]:a64\n"
