def load(data, address, n):
    return f"lsc_load.ugm (M1, 16) {data}:d24x{n} flat[{address}]:a64\n"


def block(data, address, n, letters):
    return f"lsc_load_block2d.ugm (M1_NM, 1) {data}:d16.{n}x16x8{letters} flat[{address}+(0,0)]\n"
