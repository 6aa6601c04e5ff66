import triton.language as tl


def kernel(x, n):
    return tl.inline_asm_elementwise(
        f"add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> {n}:d", "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
