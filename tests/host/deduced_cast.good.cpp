template <typename T> void put(T *p, T v) {
  asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p), "rw"(v));
}
[[sycl::reqd_sub_group_size(16)]] void f(void *p) { put(reinterpret_cast<int *>(p), static_cast<int>(5)); }
