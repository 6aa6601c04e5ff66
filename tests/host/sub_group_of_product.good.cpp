constexpr int LANES = 8;
constexpr int SG = 2 * LANES;
[[sycl::reqd_sub_group_size(SG)]] void f(float a) {
  asm("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x0:f" : "+rw"(a));
}
