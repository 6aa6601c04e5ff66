__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global int *p) {
  int lane = get_sub_group_local_id();
  int r;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>" : "=rw"(r) : "rw.u"(lane));
  p[get_global_id(0)] = r;
}
