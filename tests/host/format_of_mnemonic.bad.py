import triton.language as tl
from sizes import N


def f(x):
    return tl.inline_asm_elementwise("{op} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d".format(op="fma"), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
