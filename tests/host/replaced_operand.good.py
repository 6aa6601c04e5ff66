import triton.language as tl


def first(x):
    return tl.inline_asm_elementwise(
        asm="mov (M1, 16) $0(0,0)<1> $9(0,0)<1;1,0>\nmov (M1, 16) $1(0,0)<1> $9(0,0)<1;1,0>\nmov (M1, 16) $2(0,0)<1> $9(0,0)<1;1,0>\nmov (M1, 16) $3(0,0)<1> $9(0,0)<1;1,0>\n".replace("$9(0,0)<1;1,0>\n", "$4(0,0)<1;1,0>\n"),
        constraints="=rw,=rw,=rw,=rw,rw,rw",
        args=[x],
        dtype=(tl.int32, tl.int32),
        is_pure=True,
        pack=2,
    )
