def product(first, second):
    return f"dpas.{first}.{second}.8.8 (M1, 8) acc.0 acc.0 b.0 a(0,0)\n"
