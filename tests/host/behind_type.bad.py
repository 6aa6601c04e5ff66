import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


def scale(x, ty, imm):
    asm = f"mul (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> {imm}:{ty}\nadd (M1, 16) $0(0,0)<1> {imm}:{ty} $0(0,0)"
    return tl.inline_asm_elementwise(asm, "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
