#include <sycl/ext/intel/esimd.hpp>
namespace esimd = sycl::ext::intel::esimd;
constexpr int lanes() { return 16; }
SYCL_ESIMD_FUNCTION esimd::simd<float, 16> accumulate(esimd::simd<float, 16> x) {
  esimd::simd<float, lanes()> s = 0.f;
  asm("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>\n" : "+rw"(s) : "rw"(x));
  return s;
}
