import triton.language as tl
def split(x):
    hi, lo = tl.inline_asm_elementwise(
        asm="""
        {
            shr (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0> 0x10:ud
            and (M1, 16) $1(0,0)<1> $2(0,0)<1;1,0> 0xffff:ud
        }
        """,
        constraints="=rw,=rw,rw", args=[x], dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
    return hi, lo
