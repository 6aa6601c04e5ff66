import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


def binary(op_text, x, y):
    return tl.inline_asm_elementwise(op_text, "=rw,rw,rw", [x, y], dtype=tl.int32, is_pure=True, pack=1)


def band(x, y):
    return binary("and (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", x, y)


def bnot_and(x, y):
    return binary(op_text="or (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", x=x, y=y)
