__attribute__((intel_reqd_sub_group_size(16)))
kernel void test(global int *d_p, global int *a_p) {
  size_t gid = get_global_id(0);
  int d;
  global int *a = a_p + gid;
  __asm__("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a32"
      : "=rw"(d)
      : "rw"(a));
  d_p[gid] = d;
}
