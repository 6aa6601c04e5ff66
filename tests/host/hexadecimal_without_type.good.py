import triton.language as tl


def masked(x, mask):
    code = "and (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x%x:d" % mask
    return tl.inline_asm_elementwise(code, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
