template <int N> void f(int *p) {
  int y;
  asm volatile("lsc_load.ugm.ca.ca (M1, 16) %0:d32x%2 flat[%1]:a64" : "=rw"(y) : "rw"(p), "P"(N));
}
