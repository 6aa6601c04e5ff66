#define ACC_T float8
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global float *q) {
  ACC_T v = 0.0f;
  float r;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(6,0)<1;1,0>" : "=rw"(r) : "rw"(v));
  q[get_global_id(0)] = r;
}
