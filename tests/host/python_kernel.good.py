"""A kernel for GenX_IR."""

KERNEL = """\
.version 4.2
.kernel "copy"
.decl a v_type=G type=d num_elts=16 align=GRF
.kernel_attr SimdSize=16
copy_BB_0:
    mov (M1, 16) a(0,0)<1> 0x1:d
    ret (M1, 1)
"""

with open("copy.visaasm", "w") as f:
    f.write(KERNEL)
