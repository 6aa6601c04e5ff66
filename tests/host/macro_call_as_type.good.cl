#define VEC(T, N) T##N
#define LOADV(T, N, p) VEC(T, N) v = p[get_global_id(0)]
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global float4 *p, global float *q) {
  VEC(float, 4) v;
  float r;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(6,0)<1;1,0>" : "=rw"(r) : "rw"(v));
  q[get_global_id(0)] = r;
}
