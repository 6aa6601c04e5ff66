def make():
    for op in ("add", "mul", "divide"):
        yield tl.inline_asm_elementwise(f"{op} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", "=rw,rw,rw", [1, 2], dtype=tl.int32, is_pure=True, pack=1)
