__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global int *p) {
  int3 v = vload3(get_global_id(0), p);
  int z;
  asm("mov (M1, 16) %0(0,0)<1> %1(6,0)<1;1,0>" : "=rw"(z) : "rw"(v));
  p[get_global_id(0)] = z;
}
