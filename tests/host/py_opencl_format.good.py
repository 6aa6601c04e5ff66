TEMPLATE = """
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {{
  int x = p[get_global_id(0)];
  __asm__("add (M1, {lanes}) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\\n"
          "mul (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %0(0,0)<1;1,0>\\n" : "+rw"(x));
  p[get_global_id(0)] = x;
}}
"""
def build(cl, ctx): return cl.Program(ctx, TEMPLATE.format(lanes=16)).build()
