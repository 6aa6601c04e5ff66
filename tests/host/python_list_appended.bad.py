import torch
import triton
import triton.language as tl


def gen(n):
    lines = []
    lines.append("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>")
    lines.append("sub (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1:d")
    return "\n".join(lines)

def k(a):
    return tl.inline_asm_elementwise(gen(2), "=rw,rw", [a], dtype=tl.int32, is_pure=True, pack=1)
