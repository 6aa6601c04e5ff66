#include <sycl/sycl.hpp>
void f(sycl::queue &q, int *o) {
  q.parallel_for(sycl::range<1>(1024), [=](sycl::item<1> it) [[intel::reqd_sub_group_size(32)]] {
    int v = 1;
    asm("add (M1, 32) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<0;1,0>" : "+rw"(v) : "rw.u"((int)it.get_linear_id()));
    o[it] = v;
  });
}
