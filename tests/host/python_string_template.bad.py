from string import Template
import pyopencl as cl
SRC = Template("""
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global $ctype *p) {
    int v = p[get_global_id(0)];
    __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:dd" : "+rw"(v));
    p[get_global_id(0)] = v;
}
""")
def build(ctx, ctype):
    return cl.Program(ctx, SRC.substitute(ctype=ctype)).build()
