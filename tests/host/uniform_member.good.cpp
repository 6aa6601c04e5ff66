#include <sycl/sycl.hpp>
struct Kernel {
  int *d_p;
  int *a_p;
  int s;
  [[intel::reqd_sub_group_size(16)]]
  void operator()(sycl::nd_item<1> it) const {
    const size_t id = it.get_global_id(0);
    int d;
    int a = a_p[id];
    asm volatile("add (M1, 16) " "%0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<0;1,0>\n"
        : "=rw"(d)
        : "rw"(a),
          "rw.u"(s));
    d_p[id] = d;
  }
};
