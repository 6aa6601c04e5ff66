// A type that is a sum.
template <class T, int N> struct Tile {
    typedef T Element;
    using Row = Element -((ext_vector_type(N)));
};
[[sycl::reqd_sub_group_size(16)]] void load(int *p) {
    Tile<int, 4>::Row w;
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(w) : "rw"(p));
