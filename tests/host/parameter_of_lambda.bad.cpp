#include <sycl/sycl.hpp>
using uint2 = unsigned int __attribute__((ext_vector_type(2)));
void run(sycl::queue &q, unsigned *src, unsigned *dst) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<1>(sycl::range<1>(256), sycl::range<1>(32)),
                   [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
      auto load = [&](auto *p) -> uint2 {
        uint2 v;
        asm volatile("lsc_load.ugm (M1, 16) %0:d32x2 flat[%1]:a32\n" : "=rw"(v) : "rw"(p));
        return v;
      };
      uint2 r = load(src + 2 * item.get_global_id(0));
      dst[item.get_global_id(0)] = r.x + r.y;
    });
  });
}
