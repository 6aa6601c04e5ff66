#include <sycl/sycl.hpp>

template <typename T>
inline void twice(T *p) {
#ifdef __SYCL_DEVICE_ONLY__
  T v = *p;
  asm volatile("xor (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0>" : "=rw"(v) : "rw"(v));
  *p = v;
#endif
}

void launch(sycl::queue q, float *data) {
  q.parallel_for(sycl::nd_range<1>{256, 32}, [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    twice(data + it.get_global_linear_id());
  });
}
