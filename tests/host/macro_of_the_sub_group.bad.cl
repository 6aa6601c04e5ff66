#define LANES 8
#define SUB_GROUP(n) __attribute__((intel_reqd_sub_group_size(n)))
SUB_GROUP(LANES) kernel void k(global int *p) {
  int x = p[get_global_id(0)];
  __asm__("not (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(x));
  p[get_global_id(0)] = x;
}
