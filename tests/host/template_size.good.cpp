#include <sycl/sycl.hpp>

template <typename T, int SG> struct Kernel {
    T *p;
    [[sycl::reqd_sub_group_size(SG)]] void operator()(sycl::nd_item<1> it) const {
        T v = p[it.get_global_id(0)], r;
        asm("sin (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(v));
        p[it.get_global_id(0)] = r;
    }
};

void run(sycl::queue q, float *p) {
    q.parallel_for(sycl::nd_range<1>(64, 16), Kernel<float, 16>{p});
}
