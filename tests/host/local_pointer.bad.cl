__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global int *p) {
  local int tile[64];
  int v;
  asm volatile("lsc_load.slm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(v) : "rw"(tile + get_local_id(0)));
  p[get_global_id(0)] = v;
}
