// What calls give templates: some arguments are written, the others deduced; and functions of which it is not known.
#define RUN(to, from) asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(to) : "rw"(from))
#define SET(n) asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(n))
template <int N, class T> [[sycl::reqd_sub_group_size(16)]] void counted(T v) { int y; T t; SET(N); RUN(t, v); }
template <class T, int N = 3> [[sycl::reqd_sub_group_size(16)]] void usual(T *p, int n) { int y; T t; SET(N); RUN(t, p[0]); }
template <class T> [[sycl::reqd_sub_group_size(16)]] void over(T v) { T t; RUN(t, v); }
template <class T> [[sycl::reqd_sub_group_size(16)]] void over(T *v) { T t; RUN(t, v[0]); }
template <class T> [[sycl::reqd_sub_group_size(16)]] void twice(T v) { T t; RUN(t, v); }
void uses(float x, short *p, long q) {
    counted<4>(x); counted<4>(1.0f);
    usual<short>(p, 1);
    over<int>(1);
    twice<long>(q); twice(q);
}
[[sycl::reqd_sub_group_size(16)]] void constants(int n) {
    int y;
    const int four = 4; constexpr int five = four + 1; const int unknown = n; static const int six = 2 * 3;
    SET(static_cast<int>(four)); SET(bit_cast<int>(4)); SET(const_cast<int>(4)); SET(five); SET(unknown); SET(six);
    SET((int)(four)); SET((four)); SET(-four); SET(~four); SET(!four); SET(four ? 7 : 8); SET(four << 2); SET(four >> 1);
    SET(four > 3); SET(four == 4 && five == 5); SET(four || unknown); SET(four % 3); SET(four / 0); SET(7 / four * 2); SET(sizeof(four)); SET(sizeof(long) * 2);
    SET('a'); SET('\n'); SET(0x10); SET(010); SET(0b101); SET(1'000); SET(10u); SET(1.5); SET(true); SET(nullptr);
    n = 5; SET(n); n += four; SET(n);
}
