// Types of results: both arguments of a template have one, or the template is another one.
#define RUN(to, from) asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(to) : "rw"(from))
namespace outer { using real = float; struct wide { long both[2]; }; }
using real = double;
template <class T> [[sycl::reqd_sub_group_size(16)]] void product(T a, T b) { T t; RUN(t, a); }
template <class T> [[sycl::reqd_sub_group_size(16)]] void size(T a, T b) { T t; RUN(t, a); }
template <class T> [[sycl::reqd_sub_group_size(16)]] void parted(T a, T b) { T t; RUN(t, a); }
template <class...> [[sycl::reqd_sub_group_size(16)]] void any(int *p) { int y; RUN(y, p[0]); }
template <class T, class... More> [[sycl::reqd_sub_group_size(16)]] void several(T a, More... more) { T t; RUN(t, a); }
void uses(float x, int n, short s, ::outer::wide w) {
    product(x * 2, 1.0f);
    size(sizeof(int), 4ul);
    parted(s << 2, 1.0);
    any<int, long>(&n);
    several(s, n, x);
}
[[sycl::reqd_sub_group_size(16)]] void global(int n) {
    ::real first; ::outer::real second = 1; ::outer::wide third; int y;
    RUN(first, first); RUN(second, n); RUN(y, third.both[1]);
    for (::real each : {1.0, 2.0}) RUN(y, each);
}
