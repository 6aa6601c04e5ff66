#include <sycl/sycl.hpp>
void k(sycl::queue &q, int *a) {
  q.parallel_for(sycl::nd_range<1>{64, 64}, [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    auto sg = it.get_sub_group();
    int v;
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\n" : "=rw"(v) : "rw.u"(a[it.get_global_id(0)]));
    a[it.get_global_id(0)] = v;
  });
}
