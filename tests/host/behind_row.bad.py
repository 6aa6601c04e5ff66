import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


def offs(x, row):
    asm = f"""
      mov (M1, 16) $0({row},0)<1> $1({row},0)<1;1,0>
      add (M1, 16) $0({row},0)<1> $0({row},0)<1;2> 0x{row:x}:d
    """
    return tl.inline_asm_elementwise(asm, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
