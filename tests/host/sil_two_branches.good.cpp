void f(int &x, int *p) {
  asm volatile(
#if defined(WIDE)
      "lsc_load.ugm (M1, 32) %0:d32 flat[%1]:a64"
#else
      "lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64"
#endif
      : "=rw"(x) : "rw"(p));
}
