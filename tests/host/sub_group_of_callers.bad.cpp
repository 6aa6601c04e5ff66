#include <sycl/sycl.hpp>

static inline float sine(float v) {
    float r;
    asm("sin (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(v));
    return r;
}

// Kernels of several sizes call it.
static inline float cosine(float v) {
    float r;
    asm("cos (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(v));
    return r;
}

template <class T> T twice(T v) { return sine(v) * 2; }

void run(sycl::queue q, float *p) {
    q.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
        p[it.get_global_id(0)] = twice<float>(p[it.get_global_id(0)]) + cosine(p[0]);
    });
    q.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        p[it.get_global_id(0)] = cosine(p[0]);
    });
}
