def k(x):
    for t in ("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>",
              "mov (M1, 16) $0(0,0)<1> (-)$1(0,0)<1;1,0>"):
        x = tl.inline_asm_elementwise(t, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
    return x
