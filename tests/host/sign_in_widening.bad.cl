__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *a, global ushort *b) {
  int x = a[get_global_id(0)];
  ushort y = b[get_global_id(0)];
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "+rw"(x) : "rw"(y));
  a[get_global_id(0)] = x;
}
