__attribute__((intel_reqd_sub_group_size(16)))
kernel void f(global int *a) {
  int x = a[get_global_id(0)];
  int y;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  __asm__("invert %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(y));
  a[get_global_id(0)] = y;
}
