#include <cstdint>
using uint4 = uint32_t __attribute__((ext_vector_type(4)));
[[sycl::reqd_sub_group_size(8)]] void store(uint32_t *to, uint32_t *registers) {
  asm volatile("lsc_store.ugm (M1, 8) flat[%0]:a64 %1:d32x8"
               :: "rw"(to), "rw"(*reinterpret_cast<uint4 *>(registers)));
}
