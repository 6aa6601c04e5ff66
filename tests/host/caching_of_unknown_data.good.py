def load(d, a, bits):
    return f"lsc_load.ugm.ca.ca (M1, 16) {d}:d{bits} flat[{a}]:a64\n"


def one(d, a, caching):
    return f"lsc_load.ugm.ca.{caching} (M1, 16) {d}:d32 flat[{a}]:a64\n"
