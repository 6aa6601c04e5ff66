import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, N: tl.constexpr):
    idx = tl.arange(0, N)
    a = tl.load(x_ptr + idx + 0 * N)
    r = tl.inline_asm_elementwise(
        "{\n"
        ".decl q v_type=P num_elts=16\n"
        "(q) sel (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x5:d\n"
        "}\n",
        "=rw,rw",
        [a],
        tl.int32, False, 1)
    tl.store(y_ptr + idx, r)
