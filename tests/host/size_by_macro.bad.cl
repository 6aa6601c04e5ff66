#ifndef SIMD
#define SIMD 16
#endif
__attribute__((intel_reqd_sub_group_size(SIMD)))
kernel void k(global int *p) {
  int v = p[get_global_id(0)];
#if SIMD == 8
  __asm__("add (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "+rw"(v));
#else
  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:x" : "+rw"(v));
#endif
  p[get_global_id(0)] = v;
}
