#include <sycl/sycl.hpp>
template <typename T, int N> struct Tile { T data[N]; };
template <typename T, int N> void g(sycl::queue &q, T *p) {
  q.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(16)]] {
    auto v = p[i.get_global_id(0)];
    auto *ptr = p + i.get_global_id(0);
    Tile<T, N> t;
    if constexpr (sizeof(T) == 4) {
      asm volatile("lsc_load.ugm.ca.ca (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(v) : "rw"(ptr) : "memory");
    } else {
      asm volatile("lsc_load.ugm.ca.ca (M1, 16) %0:d64 flat[%1]:a64" : "=rw"(v) : "rw"(ptr) : "memory");
    }
    asm volatile("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(reinterpret_cast<int &>(t.data[0])) : "rw"(v));
  });
}
