#include <sycl/sycl.hpp>
void run(sycl::queue &q, int *data) {
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::nd_range<1>{256, 16}, [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
      int mine = data[it.get_global_id(0)];
      [&]() {
        asm volatile("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "+rw"(mine));
      }();
      data[it.get_global_id(0)] = mine;
    });
  });
}
