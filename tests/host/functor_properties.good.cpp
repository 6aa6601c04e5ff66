#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
struct Scale {
  float *p;
  void operator()(sycl::nd_item<1> it) const {
    float v = p[it.get_global_linear_id()];
    __asm__("mul (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0> 0x40000000:f" : "+rw"(v));
    p[it.get_global_linear_id()] = v;
  }
  auto get(syclex::properties_tag) const {
    return syclex::properties{syclex::sub_group_size<8>};
  }
};
