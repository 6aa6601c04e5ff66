import triton.language as tl


def body(n):
    out = []
    for i in range(n):
        out.append(f"add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> acc(0,0)<1;1,0>")
    return out


def repeat(x, n: int):
    text = "\n".join([".decl acc v_type=G type=d num_elts=16 align=GRF", "mov (M1, 16) acc(0,0)<1> $1(0,0)<1;1,0>", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", *body(n)])
    return tl.inline_asm_elementwise(text, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
