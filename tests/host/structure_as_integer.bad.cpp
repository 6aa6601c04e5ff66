#include <sycl/sycl.hpp>
struct Pair {
    int number;
    float scale;
};
struct Half {
    short low, high;
};
using bf16 = sycl::ext::oneapi::bfloat16;

[[sycl::reqd_sub_group_size(16)]] SYCL_EXTERNAL void store(Pair pair, Half half, bf16 small, float *p) {
    asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d64\n"
                 "lsc_store.ugm (M1, 16) flat[%0]:a64 %2:d32\n"
                 "lsc_store.ugm (M1, 16) flat[%0]:a64 %3:d16u32" : : "rw"(p), "rw"(pair), "rw"(half), "rw"((int)small));
    asm volatile("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:w" : "+rw"(small));
    asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d64" : : "rw"(p), "rw"(half));
}
