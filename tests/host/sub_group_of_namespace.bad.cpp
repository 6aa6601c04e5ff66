namespace cfg { inline constexpr unsigned SIMD = 16; }
struct Functor {
  int *p;
  [[sycl::reqd_sub_group_size(cfg::SIMD)]] void operator()(sycl::nd_item<1> it) const {
    int v = p[it.get_global_linear_id()];
    asm("add (M1, 32) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "+rw"(v));
  }
};
