import pyopencl as cl

SOURCE = r"""
__attribute__((intel_reqd_sub_group_size(8)))
kernel void f(global float *p) {
  float x = p[get_global_id(0)];
  __asm__("inv (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n" : "+rw"(x));
  p[get_global_id(0)] = x;
}
"""
program = cl.Program(cl.create_some_context(), SOURCE).build()
