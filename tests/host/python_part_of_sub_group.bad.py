import torch
import triton
import triton.language as tl


@triton.jit
def k(a, y):
    r = tl.inline_asm_elementwise("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [a], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(y, r)

def launch(x, y):
    k[(1,)](x, y, num_warps=4, threads_per_warp=32)
