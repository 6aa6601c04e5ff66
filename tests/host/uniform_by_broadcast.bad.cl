__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *a, int s) {
  int v;
  const int tid = get_global_id(0); int off = tid * 4 + s;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\n" : "=rw"(v) : "rw.u"(off));
  a[get_global_id(0)] = v;
}
