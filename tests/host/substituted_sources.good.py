from string import Template

SHELL = Template("""
kernel void k(global int *p) {
  int x = p[0];
  __asm__("add (M1, $lanes) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "+rw"(x));
}
""")

def build(cl, ctx):
    return cl.Program(ctx, SHELL.substitute(lanes=16))
