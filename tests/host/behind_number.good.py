import torch
import triton
import triton.language as tl


def build(x, mask):
    return tl.inline_asm_elementwise(
        f"""and (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> {mask:#x}:d
        or (M1, 16) $0(0,0)<1> {mask:#x}:d $0(0,0)<1;1,0>
        """,
        "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
