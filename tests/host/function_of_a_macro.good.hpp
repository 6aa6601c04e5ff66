#define DEVICE_ASM(...) __asm__ volatile(__VA_ARGS__)
#define UNARY(name, operation, From, To)                                 \
  inline To name(From x) {                                               \
    To y;                                                                \
    DEVICE_ASM(operation " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>"           \
               : "=rw"(y) : "rw"(x));                                    \
    return y;                                                            \
  }
UNARY(inverse, "inv", float, float)
UNARY(complement, "not", int, int)
UNARY(bits, "not", int, int)
