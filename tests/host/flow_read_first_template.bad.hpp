template <typename T, int N = 4>
__attribute__((always_inline)) inline void step(T &d, T a) {
  asm volatile("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>\n"
        : "=rw"(d)
        : "rw"(a));
}
