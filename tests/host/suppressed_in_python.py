import triton.language as tl


def known(x):
    # visa-lint: allow(unknown-instruction) a newer compiler has it
    return tl.inline_asm_elementwise("""
    movv (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>
    """, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)


KERNEL = """.version 4.2
.kernel "k"
.kernel_attr SimdSize=8
.decl a v_type=G type=d num_elts=8 align=GRF
// visa-lint: allow(unknown-instruction) a newer compiler has it
movv (M1, 8) a(0,0)<1> 0x0:d
ret (M1, 1)
"""
