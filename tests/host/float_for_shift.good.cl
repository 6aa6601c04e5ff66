__attribute__((intel_reqd_sub_group_size(16)))
kernel void shift(global int *p) {
  int g = get_global_id(0), v = p[g], r;
  asm("shl (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2" : "=rw"(r) : "rw"(v), "i"(2));
  p[g] = r;
}
