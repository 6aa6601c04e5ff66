__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global int *p) {
  size_t i = get_global_id(0);
  int d = p[i];
  __asm__("not (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : : "+rw"(d));
  p[i] = d;
}
