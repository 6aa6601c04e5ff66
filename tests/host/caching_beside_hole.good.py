def store(n, addr):
    return f"lsc_store.ugm.uc.wb (M1, 16) flat[{addr}]:a64 data:d32x{n}"
