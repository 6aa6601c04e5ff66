import triton.language as tl

N = 12
options = make_options()
options.N = 16


def zero(x):
    return tl.inline_asm_elementwise(f"mov (M1, {N}) $0(0,0)<1> 0x0:d", "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
