#include "lines.h"
inline void f(int &c, int d) {
  asm("not (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" END
      "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>" END
      "mov (M1, 16) %0(0,0)<1> (abs)%0(0,0)<1;1,0>" END : "+rw"(c) : "rw"(d));
}
