SOURCE = """
kernel void k(global int *p) {
  int x = p[0];
  __asm__("add (M1, %d) %%0(0,0)<1> %%0(0,0)<1;1,0> 0x1:d\\n"
          "add (M1, 16) %%0(0,0)<1> %%1(0,0)<1;1,0> 0x1:d" : "+rw"(x));
}
"""
def build(cl, ctx, n): return cl.Program(ctx, SOURCE % n).build()
