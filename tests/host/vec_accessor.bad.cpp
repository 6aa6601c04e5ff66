#include <sycl/sycl.hpp>

[[intel::reqd_sub_group_size(16)]] void comp(sycl::float4 v, float &o) {
  asm("mul (M1, 16) %0(0,0)<1> %1(4,0)<1;1,0> 0x40000000:f" : "=rw"(o) : "rw"(v.y()));
}
