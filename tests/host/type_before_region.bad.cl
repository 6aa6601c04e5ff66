__attribute__((intel_reqd_sub_group_size(16)))
kernel void test(global int *d_p, global int *a_p) {
  size_t gid = get_global_id(0);
  int d;
  int a = a_p[gid];
  __asm__("mov (M1, 16) %0:d(0,0)<1> %1(0,0)<1;1,0>"
      : "=rw"(d)
      : "rw"(a));
  d_p[gid] = d;
}
