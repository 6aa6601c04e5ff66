import torch
import triton
import triton.language as tl


@triton.jit
def asm1(x, text: tl.constexpr):
    return tl.inline_asm_elementwise(text, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

@triton.jit
def k(x):
    return asm1(x, "not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d")
