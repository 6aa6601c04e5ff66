import triton
import triton.language as tl


@triton.jit
def kernel(X, Y, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(X + i)
    y = tl.inline_asm_elementwise("rndd (M1, 32) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x],
                                  dtype=tl.float32, is_pure=True, pack=1)
    tl.store(Y + i, y)


def run(x, y):
    kernel[(1,)](x, y, N=64, num_warps=4, threads_per_warp=16)
