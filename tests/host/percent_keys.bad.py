import triton.language as tl

def kernel(x):
    return tl.inline_asm_elementwise("add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:%(type)s" % {"type": "u32"}, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
