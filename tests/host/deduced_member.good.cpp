template <typename T> T flip(T v) {
  T r;
#ifdef __SYCL_DEVICE_ONLY__
  asm("not (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(v));
#endif
  return r;
}
struct S { double d; };
void f(S *s) { int i = 3; flip(i); }
