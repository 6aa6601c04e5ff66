template <int N> struct vec_of { typedef int type __attribute__((ext_vector_type(N))); };
template <int N> typename vec_of<N>::type load(int *p) {
  typename vec_of<N>::type r;
#ifdef __SYCL_DEVICE_ONLY__
  asm("lsc_load.ugm (M1, 16) %0:d32x8 flat[%1]:a64" : "=rw"(r) : "rw"(p));
#endif
  return r;
}
[[sycl::reqd_sub_group_size(16)]] int sum(int *p) { auto v = load<4>(p); return v[0]; }
