import triton.language as tl

W = 24

def f(x, W):
    return tl.inline_asm_elementwise(f"shl (M1, {W}) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d", "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

def g(x):
    for V in (8, 16):
        yield tl.inline_asm_elementwise(f"shl (M1, {V}) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d", "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
