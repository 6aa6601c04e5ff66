#define HALF(ACC, AT, A, B) \
  __asm__("dpas.hf.hf.8.8 (M1, 16) %0." #AT " %0." #AT " %2.0 %1(0,0)" : "+rw"(ACC) : "rw"(A), "rw"(B))
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int4 *a, global int8 *b, global float16 *c) {
  float16 sum = *c;
  HALF(sum, 0, *a, *b);
  HALF(sum, 576, *a, *b);
  *c = sum;
}
