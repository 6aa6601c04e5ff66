#include <sycl/sycl.hpp>
using namespace sycl::ext::oneapi::experimental;
void run(sycl::queue &q, int *out) {
  properties props{sub_group_size<32>};
  q.parallel_for(sycl::nd_range<1>{512, 32}, props, [=](sycl::nd_item<1> it) {
    int v = 0;
    asm("mov (M1, 32) %0(0,0)<1> 0x7:d" : "=rw"(v));
    out[it.get_global_id(0)] = v;
  });
}
