__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global float *p) {
#define AVG(d, a, b) do { float t_ = 0.5f; __asm__("mad (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0> %3(0,0)<1;1,0>" : "=rw"(d) : "rw"(a), "rw"(b), "rw"(t_)); } while (0)
  float x = p[get_global_id(0)], y;
  AVG(y, x, x);
  p[get_global_id(0)] = y;
}
