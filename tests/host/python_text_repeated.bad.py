import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def f(x):
    return tl.inline_asm_elementwise(
        """
        mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>
        mov (M1, 16) $1(0,0)<1> $3(0,0)<1;1,0>
        """, "=rw," * 2 + "rw", [x], dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
