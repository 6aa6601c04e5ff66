def gen(f, n):
    print("retry:", file=f)
    print("cmp.lt (M1, 16) p x(0,0)<1;1,0> 0x8:d", file=f)
    if n:
        print(f"(p) goto (M1, {n}) retry", file=f)
