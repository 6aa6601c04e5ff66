import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


def make(n):
    head = "\n".join(f".decl r{i} v_type=G type=ud num_elts=16 align=GRF" for i in range(n))
    return head

def run(x):
    asm = "{\n" + make(4) + "\nmov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n}"
    return tl.inline_asm_elementwise(asm, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
