#include <sycl/sycl.hpp>
void k(sycl::queue &q, int *a) {
  q.parallel_for(sycl::nd_range<1>{64, 64}, [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    auto sg = it.get_sub_group();
    int v;
    asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\n" : "=rw"(v) : "rw.u"(sycl::group_broadcast(sg, a[it.get_global_id(0)], 0) + (int)sycl::any_of_group(sg, it.get_local_id(0) > 3)));
    a[it.get_global_id(0)] = v;
  });
}
