import torch
import triton
import triton.language as tl


NOUT = 4

def k(x):
    return tl.inline_asm_elementwise(
        "mov (M1, 16) $0(0,0)<1> $4(0,0)<1;1,0>\n"
        "mov (M1, 16) $1(0,0)<1> $4(0,0)<1;1,0>\n"
        "mov (M1, 16) $2(0,0)<1> $4(0,0)<1;1,0>\n"
        "mov (M1, 16) $3(0,0)<1> $5(0,0)<1;1,0>\n",
        ",".join(["=rw"] * 4 + ["rw"]), [x], dtype=[tl.int32] * 4, is_pure=True, pack=1)
