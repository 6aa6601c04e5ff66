import triton.language as tl


def fused(a, b):
    c, = tl.inline_asm_elementwise(
        asm="mad (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0> $1(0,0)<1;1,0>",
        constraints=("=rw,"
                     "rw,q"),
        args=[a, b], dtype=(tl.float32,), is_pure=True, pack=1)
    return c
