import triton.language as tl

LOAD = "lsc_load.ugm.{l1}.{l2} (M1, 16) $0:{ty} flat[$1]:a64"


def load(p):
    return tl.inline_asm_elementwise(LOAD.format(l1="ca", l2="ca", ty="d32"), "=rw,rw", [p], dtype=tl.int32, is_pure=False, pack=1)
