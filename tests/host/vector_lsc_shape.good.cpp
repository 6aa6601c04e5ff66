#include <sycl/ext/intel/esimd.hpp>
SYCL_ESIMD_FUNCTION void st(simd<uint64_t, 16> p, simd<int, 16> v) {
  asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p.data()), "rw"(v.data()));
}
