import sys  # emits vISA asm
def gen(out, n):
    out.write(".version 3.6\n.kernel \"k\"\n.kernel_attr Target=\"cm\"\n")
    out.write(".decl A v_type=G type=d num_elts=16\n")
    out.write("mov (M1, 16) A(0,0)<1> 0x0:d\n")
    out.write("add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> 0x1:d\n")
    out.write("ret (M1, 1)\n")
