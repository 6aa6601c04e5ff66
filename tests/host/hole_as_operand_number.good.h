#define STR(x) #x
#define COPY(n, d, s) __asm__("mov (M1, 16) %" STR(n) "(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(d) : "rw"(s))
static inline void f(int *d, int s) { COPY(0, *d, s); }
