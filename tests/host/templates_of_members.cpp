// Functions that are templates, inside of classes and alone: parameters that are numbers, types, or have no name.
#define JOIN(a, b) a##b
#define VEC(t, n) JOIN(t, n)
struct Kernel {
    template <int N, class T = float, int> [[sycl::reqd_sub_group_size(16)]] void run(int *p, T given) {
        int y;
        T t;
        asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(N));
        asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(t) : "rw"(given));
    }
    template <unsigned N = 4> struct Inner {
        VEC(int, 4) four;
        VEC(float, 2) two[N];
        template <long Step> void step(VEC(short, 8) eight) {
            VEC(int, 2) pair;
            asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(pair) : "rw"(four));
            asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(two[0]) : "rw"(eight));
            asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(pair) : "i"(Step));
        }
    };
};
[[sycl::reqd_sub_group_size(16)]] void alone(int *p) {
    auto inner = []<int M>(int v) { asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(v) : "i"(M)); };
    Kernel().run<8, int, 1>(p, 3);
}
