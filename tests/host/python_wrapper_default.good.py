import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def unary(x, code: tl.constexpr = "mov (M1, 16) $0(0,0)<1> (abs)$1(0,0)<1;1,0>"):
    return tl.inline_asm_elementwise(code, "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
