#include <sycl/ext/intel/esimd.hpp>
using namespace sycl::ext::intel::esimd;
void f(sycl::queue &q, float *p) {
  q.single_task([=]() SYCL_ESIMD_KERNEL {
    simd<int, 16> a(p), b(p + 16), sum;
    asm("xor (M1, 16) %0 %1 %2" : "=r"(sum.data_ref()) : "r"(a.data()), "r"(b.data()));
  });
}
