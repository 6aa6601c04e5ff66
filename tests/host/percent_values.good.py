import triton.language as tl

OPERATION = "bfrev"

def kernel(x):
    return tl.inline_asm_elementwise("%s (M1, %d) $0(0,0)<1> $1(0,0)<1;1,0>" % (OPERATION, 16), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
