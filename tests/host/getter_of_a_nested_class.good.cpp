#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;

struct Outer {
  struct Inner {
    void operator()(sycl::nd_item<1>) const {}
    auto get(syclex::properties_tag) const { return syclex::properties{syclex::sub_group_size<32>}; }
  };
  void operator()(sycl::nd_item<1> it) const {
    int x;
    asm("mov (M1, 16) %0(0,0)<1> 0x0:d\n" : "=rw"(x));
    out[it.get_global_id(0)] = x;
  }
  int *out;
};
