enum class Mode : unsigned char { off, on };
__attribute__((intel_reqd_sub_group_size(16)))
inline void mode(void *p, Mode m) {
  asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p), "rw"(m));
}
