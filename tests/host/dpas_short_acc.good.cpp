#include <sycl/sycl.hpp>
using short8 = sycl::vec<short, 8>; using int8 = sycl::vec<int, 8>;
void run(sycl::queue q) {
  q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    sycl::vec<int, 4> a; sycl::vec<int, 8> b;
    sycl::vec<float, 8> c;
    asm("dpas.hf.hf.8.8 (M1, 16) %0.0 %0.0 %2.0 %1(0,0)\n" : "+rw"(c) : "rw"(a), "rw"(b));
  });
}
