__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uint *a, global uint *b) {
  uint x = a[get_global_id(0)];
  uint y = b[get_global_id(0)];
  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>" : "+rw"(x) : "rw"(y));
  a[get_global_id(0)] = x;
}
