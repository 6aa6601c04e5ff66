__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global int *p) {
  int r, a = p[get_global_id(0)];
  __asm__("not (M1, 8) %0(0,0)<1> %1(0)<1;1,0>" : "=rw"(r) : "rw"(a));
  p[get_global_id(0)] = r;
}
