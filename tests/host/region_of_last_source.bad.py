import triton.language as tl


def unary(x, operation):
    return tl.inline_asm_elementwise(
        f"{operation} (M1, 16) $0(0,0)<1> $1(0,0)<1>", "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1
    )
