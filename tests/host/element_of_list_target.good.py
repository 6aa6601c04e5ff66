import triton, triton.language as tl
@triton.jit
def k(X, Y):
    offs = tl.arange(0, 16)
    x = tl.zeros((16,), tl.float32)
    x, z = other(X)
    y = tl.inline_asm_elementwise("not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
    x += 1
