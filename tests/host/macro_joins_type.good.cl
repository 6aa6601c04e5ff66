#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define VEC_SIZE 8
#define VTYPE CONCAT(float, VEC_SIZE)
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global float *q) {
  VTYPE v = 0.0f;
  float r;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(6,0)<1;1,0>" : "=rw"(r) : "rw"(v));
  q[get_global_id(0)] = r;
}
