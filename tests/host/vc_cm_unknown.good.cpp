#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(SurfaceIndex s) {
  vector<int, 8> a = 1, b;
  asm("add (M1, 8) %0 %1 %2" : "=r"(b) : "r"(a), "i"(3));
  write(s, 0, b);
}
