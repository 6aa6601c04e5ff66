#include <sycl/sycl.hpp>
[[sycl::reqd_sub_group_size(16)]] void k(float x, int &out) {
  asm("{\n.decl W v_type=G type=uq num_elts=16 alias=<%1, 0>\nmov (M1, 16) %0(0,0)<1> W(0,0)<1;1,0>\n}"
      : "=rw"(out) : "rw"(sycl::bit_cast<unsigned>(x)));
}
