__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  local float buf[32][16];
  float v;
  __asm__ volatile("lsc_load.slm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(v) : "rw"(&buf[1][get_local_id(0)]));
  p[get_global_id(0)] = (int)v;
}
