#include <sycl/sycl.hpp>
#include <cstdint>
void launch(sycl::queue &q, int *d_p, int *a_p) {
  q.parallel_for(sycl::nd_range<1>{1024, 64}, [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    const size_t id = it.get_global_id(0);
    int d;
    int *a = a_p + id;
#ifdef __SYCL_DEVICE_ONLY__
    asm volatile("lsc_load.ugm (M1, %2) %0:d32 flat[%1]:a64\n"
        : "=rw"(d)
        : "rw"(a),
          "P"(16));
#endif
    d_p[id] = d;
  });
}
