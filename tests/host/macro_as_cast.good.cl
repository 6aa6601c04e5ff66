#define AS_T(x) as_int8(x)
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global float *q, float8 v, float4 w) {
  float r;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(6,0)<1;1,0>" : "=rw"(r) : "rw"(AS_T(v)));
  q[get_global_id(0)] = r;
}
