#include <sycl/sycl.hpp>

template <int SG, typename T> void run(sycl::queue q, T *p) {
    if constexpr (SG == 8) {
        q.parallel_for(64, [=](sycl::item<1> it) [[sycl::reqd_sub_group_size(8)]] {
            T v = p[it];
            asm("sin (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(v));
            p[it] = v;
        });
    } else {
        q.parallel_for(64, [=](sycl::item<1> it) [[sycl::reqd_sub_group_size(SG)]] {
            T v = p[it];
            asm("sin (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(v));
            p[it] = v;
        });
    }
    q.parallel_for(64, [=](sycl::item<1> it) [[sycl::reqd_sub_group_size(SG)]] {
        T v = p[it];
        asm("cos (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(v));
        p[it] = v;
    });
}

void start(sycl::queue q, float *p) { run<8, float>(q, p); }
