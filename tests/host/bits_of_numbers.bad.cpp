#include <cstdint>
[[sycl::reqd_sub_group_size(16)]] int load(uint64_t base, uint32_t low) {
  int y;
  asm volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(y) : "rw"(low & 0xffff0u));
  asm volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(y) : "rw"(base | low << 4));
  return y;
}
