import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, N: tl.constexpr):
    idx = tl.arange(0, N)
    a = tl.load(x_ptr + idx + 0 * N)
    b = tl.load(x_ptr + idx + 1 * N)
    r = tl.inline_asm_elementwise(asm='{\n.decl q v_type=P num_elts=16\ncmp.gt (M1, 16) q $1(0,0)<1;1,0> 0x0:d\n(q) sel (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>\n}', constraints="=rw,rw,rw", args=[a, b], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(y_ptr + idx, r)
