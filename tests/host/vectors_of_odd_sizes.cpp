template <int N> struct Pair { sycl::vec<float, 2> values; };
template <> struct Pair<4> { sycl::vec<float, 0> values; };
void f() {
  Pair<4> four;
  asm volatile("mov (M1, 16) %0(0,0)<1> 0x0:f\n" : "+rw"(four.values));
}
struct Large { sycl::vec<float, 4000000000> values; };
void g(Large &large) {
  asm volatile("mov (M1, 16) %0(0,0)<1> 0x0:f\n" : "+rw"(large.values));
}
