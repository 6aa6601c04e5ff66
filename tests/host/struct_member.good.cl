__attribute__((intel_reqd_sub_group_size(16)))

struct pair { int lo; int hi; };
kernel void k(global int *p) {
  struct pair s;
  s.lo = p[get_global_id(0)]; s.hi = 0;
  asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p + get_global_id(0)), "rw"(s.hi));
}
