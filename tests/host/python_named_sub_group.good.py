import triton
import triton.language as tl

WARP = 16

@triton.jit
def k(p, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(p + o)
    y = tl.inline_asm_elementwise("add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d", "=rw,rw", [x], tl.int32, True, 1)
    tl.store(p + o, y)

def main(p):
    k[(4,)](p, BLOCK=64, num_warps=4, threads_per_warp=WARP)
