#include <sycl/sycl.hpp>
struct pair_t { float scale; int count; };
[[sycl::reqd_sub_group_size(16)]] void body(pair_t *in, float *out, int i) {
  auto [scale, count] = in[i];
  float y;
  asm("exp (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n" : "=rw"(y) : "rw"(count));
  out[i] = y;
}
