#include <sycl/sycl.hpp>
inline int twice(int x) {
  int y;
#if defined(__SYCL_DEVICE_ONLY__)
#if defined(WIDE)
  asm("add (M1, 32) "
#else
  asm("add (M1, 16) "
#endif
      "%0(0,0)<1> "   // result
      "%1(0,0)<1;1,0> " // value
      "%1(0,0)<1;1,0>\n"
      : "=rw"(y)
      : "rw"(x));
#else
  y = 2 * x;
#endif
  return y;
}
