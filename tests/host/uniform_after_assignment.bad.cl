__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *a, int s) {
  int v;
  int x = s; x += get_local_id(0);
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\n" : "=rw"(v) : "rw.u"(x));
  a[get_global_id(0)] = v;
}
