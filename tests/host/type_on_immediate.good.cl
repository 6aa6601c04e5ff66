__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  int x = p[get_global_id(0)];
  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1" : "+rw"(x) : "i"((int)sizeof(int)));
  p[get_global_id(0)] = x;
}
