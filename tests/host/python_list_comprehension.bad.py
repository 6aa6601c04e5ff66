import torch
import triton
import triton.language as tl


def k(a):
    asm = "\n".join(f"add (M1, 16) $0({i},0)<1> $1({i},0)<1;1,0> 0x1" for i in range(2))
    return tl.inline_asm_elementwise(asm, "=rw,rw", [a], dtype=tl.int32, is_pure=True, pack=1)
