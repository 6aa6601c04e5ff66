#include <sycl/ext/intel/esimd.hpp>
using namespace sycl::ext::intel::esimd;
SYCL_EXTERNAL void saxpy(simd<float, 16> &y, simd<float, 16> x) SYCL_ESIMD_FUNCTION {
  asm("mad (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0> %0(0,0)<1;1,0>" : "+rw"(y.data_ref()) : "rw"(x.data()));
}
