__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global ulong *p) {
  ulong a = p[get_global_id(0)];
  __asm__ volatile("lsc_load.ugm (M1, 16) %null:d32 flat[%0]:a64" : : "rw"(a));
}
