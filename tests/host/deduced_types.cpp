// Types that declarations do not write: bound names, loops, and what calls of templates hand over.
#define RUN(to, from) asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(to) : "rw"(from))
#define ONCE int
#define REAL BASE
#define BASE float4
struct pair { float first; long second; };
struct holds { pair both[2]; short *link; };
template <class T> [[sycl::reqd_sub_group_size(16)]] void scale(const T *p, volatile T &v, T const w) {
    T t; RUN(t, p[0]); RUN(t, v); RUN(t, w);
}
template <class T, class U> [[sycl::reqd_sub_group_size(16)]] void two(T **p, U (&v)[4], const U *w = nullptr) {
    T t; U u; RUN(t, u);
}
template <class T> [[sycl::reqd_sub_group_size(16)]] void either(T a, T b) { T t; RUN(t, a); }
[[sycl::reqd_sub_group_size(16)]] void run(float *p, pair *pairs, holds h, int n, long *deep[4], short words[4]) {
    pair both[4]; int y; ONCE once; REAL real; float x = p[0];
    for (auto [one, two] : both) { RUN(one, two); RUN(two, one); }
    for (auto &[one, two] : h.both) { RUN(one, two); }
    for (const auto &one : both) { RUN(y, one.first); RUN(y, one.second); }
    auto [a, b] = pairs[0]; RUN(a, b);
    auto &[c, d] = h.both[1]; RUN(c, d);
    auto e = h.both[n].second, f = 1.0f; RUN(e, f);
    auto *g = h.link; RUN(*g, g[1]);
    decltype(e) i = e; RUN(i, once); RUN(real, real);
    scale(p, x, 1.0f); two(deep, words); either(x, 1.0f);
    if (auto j = h.link[0]; j > 0) RUN(y, j);
    { auto j = p; RUN(y, *j); }
    RUN(y, (n > 1 ? pairs[0].first : x)); RUN(y, (pairs + 1)->second); RUN(y, -(h.link[1])); RUN(y, *(h.link + n));
}
