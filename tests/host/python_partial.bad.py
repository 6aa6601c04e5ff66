from functools import partial
visa = partial(tl.inline_asm_elementwise, is_pure=True, pack=1)
@triton.jit
def k(x):
    return visa("rndz (M1, 16) $0(0,0)<1> $1(0,0)<1;1.0>", "=rw,rw", [x], dtype=tl.float32)
