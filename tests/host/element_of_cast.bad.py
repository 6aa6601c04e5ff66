import triton
import triton.language as tl

@triton.jit
def kernel(X, Y, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(X + offs)
    y = tl.inline_asm_elementwise(
        "shl (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d", "=rw,rw",
        [x.to(tl.float32)], tl.int32, True, 1)
    tl.store(Y + offs, y)
