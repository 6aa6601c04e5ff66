__attribute__((intel_reqd_sub_group_size(16)))

#define UNARY(op, d, s)                                   \
  asm volatile(#op " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" \
               : "=rw"(d) : "rw"(s))
kernel void k(global float *p) {
  float x = p[get_global_id(0)], y;
  UNARY(log, y, x);
  UNARY(log2, x, y);
  p[get_global_id(0)] = x;
}
