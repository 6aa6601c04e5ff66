#include <sycl/sycl.hpp>

template <typename T, int N, int SG = 16>
[[sycl::reqd_sub_group_size(SG)]] void load(T *p) {
    sycl::vec<T, N * 2> v;
    for (int i = 0; i < 4; i++) {
        asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(v) : "rw"(p));
        p[i] = v[0];
    }
    // For other counts.
    if (N == 4) {
        asm volatile("lsc_load.ugm (M1, 16) %0:d32x8 flat[%1]:a64" : "=rw"(v) : "rw"(p));
        p[0] = v[0];
    }
}

void run(float *p) {
    load<float, 1>(p);
}
