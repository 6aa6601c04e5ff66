import triton.language as tl
def f(a, b):
    return tl.inline_asm_elementwise(
        asm="""
        mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>
        mov (M1, 16) $1(0,0)<1> $3(0,0)<1;1,0>
        """,
        constraints=("=rw,=rw,rw,rw"),
        args=[a, b], dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
