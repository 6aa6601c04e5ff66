#include <sycl/sycl.hpp>
template <typename T, int Rows> struct Accumulator {
  sycl::vec<T, Rows> values;
  static constexpr int rows = Rows;
  void clear() { values = T(0); }
};
void clear() [[sycl::reqd_sub_group_size(16)]] {
  Accumulator<float, 4> four;
  Accumulator<float, 8> eight;
  asm volatile("mov (M1, 16) %0(5,0)<1> 0x0:f\n" : "+rw"(eight.values));
  asm volatile("mov (M1, 16) %0(3,0)<1> 0x0:f\n" : "+rw"(four.values));
}
template <int Rows> void other(Accumulator<float, Rows> &any) {
  asm volatile("mov (M1, 16) %0(5,0)<1> 0x0:f\n" : "+rw"(any.values));
}
template <int N> struct Special { sycl::vec<float, 2> values; };
template <> struct Special<4> { sycl::vec<float, 8> values; };
void special() [[sycl::reqd_sub_group_size(16)]] {
  Special<4> four;
  asm volatile("mov (M1, 16) %0(5,0)<1> 0x0:f\n" : "+rw"(four.values));
}
