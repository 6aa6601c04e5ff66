#define VISA(...) __asm__ volatile(__VA_ARGS__)
#define VISA_LINE(text, ...) VISA(text "\n" : __VA_ARGS__)
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  int x = p[get_global_id(0)], y;
  VISA("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  VISA_LINE("mov (M1, 18) %0(0,0)<1> %1(0,0)<1;1,0>", "=rw"(x) : "rw"(y));
  p[get_global_id(0)] = x;
}
