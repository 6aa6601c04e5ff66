template <int Bits> struct Register;
template <> struct Register<64> { using type = int __attribute__((ext_vector_type(2))); };
template <> struct Register<128> { using type = int __attribute__((ext_vector_type(4))); };

template <class T, int N> struct Tile {
    typedef T Element;
    using Row = Element __attribute__((ext_vector_type(N)));
};

[[sycl::reqd_sub_group_size(16)]] void load(int *p) {
    typename Register<128>::type v;
    Tile<int, 4>::Row w;
    typename Register<64>::type u;
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(v) : "rw"(p));
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(w) : "rw"(p));
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(u) : "rw"(p));
    p[0] = v[0] + w[0] + u[0];
}
