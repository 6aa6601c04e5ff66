__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global float *p, global int *o) {
  int r;
  __asm__("xor (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d" : "=rw"(r) : "rw"(fabs(p[0]) + 0.5f));
  o[0] = r;
}
