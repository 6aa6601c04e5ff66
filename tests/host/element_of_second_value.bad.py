import triton, triton.language as tl
@triton.jit
def k(X, Y):
    offs = tl.arange(0, 16)
    x = tl.load(X + offs)
    x = x.to(tl.float32)
    z = tl.full((16,), 1.0, tl.int32)
    y = tl.inline_asm_elementwise("mul (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", "=rw,rw,rw", [x, z], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(Y + offs, y)
