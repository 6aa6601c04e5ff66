import triton
import triton.language as tl

_ABS: tl.constexpr = tl.constexpr("mov (M1, 16) $0(0,0)<1> abs $1(0,0)<1;1,0>")

@triton.jit
def k(x):
    return tl.inline_asm_elementwise(_ABS, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
