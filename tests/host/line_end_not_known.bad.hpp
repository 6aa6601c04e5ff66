#include "lines.h"
inline void f(int &c) {
  asm("not (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" END
      "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:i" END : "+rw"(c));
}
