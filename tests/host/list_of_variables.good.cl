__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global float *p) {
  float2 a(p[0]), b;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(2,0)<1;1,0>" : "=rw"(p[1]) : "rw"(b));
}
