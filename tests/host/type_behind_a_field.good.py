import triton.language as tl


def shifted(shift):
    asm = f"""
    {{
        asr (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> {shift}:d
    }}
    """

    def kernel(x, A: tl.constexpr = asm):
        return tl.inline_asm_elementwise(A, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

    return kernel
