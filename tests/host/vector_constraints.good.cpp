#include <sycl/ext/intel/esimd.hpp>
using namespace sycl::ext::intel::esimd;
SYCL_ESIMD_FUNCTION void f(simd<float, 16> a, simd<float, 16> b, simd_mask<16> m, simd<uint64_t, 16> p, simd<float, 16> &c) {
  __asm__ volatile("(%3) add (M1, 16) %0 %1(0,0)<1;1,0> (-)%2\nlsc_load.ugm (M1, 16) %1:d32 flat[%4]:a64"
                   : "=r"(c.data_ref())
                   : "rw"(a.data()), "r"(b.data()), "cr"(m.data()), "rw"(p.data()));
}
