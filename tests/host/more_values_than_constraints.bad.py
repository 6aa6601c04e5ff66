import triton.language as tl


def f(x):
    return tl.inline_asm_elementwise("not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x, x], dtype=tl.int32, is_pure=True, pack=1)
