#include <sycl/ext/intel/esimd.hpp>
using namespace sycl::ext::intel;
SYCL_ESIMD_FUNCTION void f(esimd::simd<int, 16> &v, int n) {
  asm("shl (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<0;1,0>" : "+rw"(v.data_ref()) : "rw"(n));
}
