def products(count, a, b, n):
    return f"dpas.bf.bf.8.{count} (M1, 16) ACC.0 ACC.0 {b}.{n * 512} {a}.{n * 64}"
