#include <sycl/sycl.hpp>
template <int N> void launch(sycl::queue &q, int *p) {
  q.parallel_for(sycl::nd_range<1>{64, 16}, [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    int x = p[it.get_global_id(0)];
    if constexpr (N == 4) {
      asm volatile(".decl t v_type=G type=d num_elts=16 align=GRF\n"
                   "AGAIN:\n"
                   "mov (M1, 16) t(0,0)<1> %0(0,0)<1;1,0>\n"
                   "add (M1, 16) %0(0,0)<1> t(0,0)<1;1,0> 0x1:d\n" : "+rw"(x));
    } else {
      asm volatile(".decl t v_type=G type=d num_elts=16 align=GRF\n"
                   "AGAIN:\n"
                   "mov (M1, 16) t(0,0)<1> %0(0,0)<1;1,0>\n"
                   "add (M1, 16) %0(0,0)<1> t(0,0)<1;1,0> 0x2:d\n" : "+rw"(x));
    }
    p[it.get_global_id(0)] = x;
  });
}
