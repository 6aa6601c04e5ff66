#include <sycl/ext/intel/esimd.hpp>
using namespace sycl::ext::intel::esimd;
SYCL_ESIMD_FUNCTION simd<float, 8> sum(simd<float, 8> x, simd<float, 1> z) {
  simd<float, 8> y;
  __asm__("add (M1, 16) %0(0,0)<1> %1(0,0)<8;8,1> %2(0,0)<0;1,0>" : "=rw"(y) : "rw"(x), "rw"(z));
  return y;
}
