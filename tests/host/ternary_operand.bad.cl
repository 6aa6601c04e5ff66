__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global float *p, int n) {
  float a = p[0], b = p[get_global_id(0)];
  int r;
  asm("or (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d" : "=rw"(r) : "rw"(n ? a : b));
  p[get_global_id(0)] = r;
}
