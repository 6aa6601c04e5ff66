import triton
import triton.language as tl

BODY: tl.constexpr = """
add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>
"""


@triton.jit
def op(a, b):
    return tl.inline_asm_elementwise(BODY, "=rw,rw,m", [a, b], tl.int32, True, 1)
