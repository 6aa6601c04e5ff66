import triton.language as tl


@triton.jit
def kernel(x):
    n = 16;
    text: tl.constexpr = "mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>"
    return tl.inline_asm_elementwise(text, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
