#define MAXIMUM(d, a, b) __asm__("max (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>" : "=rw"(d) : "rw"(a), "rw"(b))
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uint *p) {
  uint a = p[get_global_id(0)], b = p[0], c;
  MAXIMUM(c, a, b);
  p[get_global_id(0)] = c;
}
