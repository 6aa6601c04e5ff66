#define PREFETCH "lsc_load.ugm (M1, 1) %%null:d32x64t "
void f(const void *p) {
  asm volatile(PREFETCH "flat[%0]:a64\n" : : "rw.u"(p));
}
