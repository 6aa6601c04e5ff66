import triton.language as tl
ASM = """
mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>
"""
def f(a):
    return tl.inline_asm_elementwise(ASM, "=rw,rw", [a], dtype=tl.int32, is_pure=True, pack=1)
