__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global uint4 *in, global uint *out) {
  uint4 v;
  asm volatile("lsc_load.ugm.ca.ca (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(v) : "rw"(in + get_global_id(0)));
  out[get_global_id(0)] = v.x + v.y;
}
