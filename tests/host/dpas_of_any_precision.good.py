def product(first, second):
    return f"dpas.{first}.{second}.8.8 (M1, 16) acc.0 acc.0 b.0 a(0,0)\n"


def others(kinds, first, n):
    return (
        f"dpas.{kinds}.8.8 (M1, 16) acc.0 acc.0 b.0 a(0,0)\n"
        f"dpas.{first}.{first}.8.{n} (M1, 16) acc.0 acc.0 b.0 a(0,0)\n"
    )
