import triton.language as tl


def unary(operation, x):
    code = f"{operation} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
    return tl.inline_asm_elementwise(code, "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)


def exponential(x):
    return unary("exp", x)


def cosine(x):
    return unary("cos", x)
