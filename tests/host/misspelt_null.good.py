def store(data, address, n):
    return f"lsc_atomic_iinc.ugm (M1, {n}) %null:d32 flat[{address}]:a64 %null %null\n"
