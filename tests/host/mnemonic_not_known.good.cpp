#include "hints.h"
inline void f(int &x) {
  asm(OPERATION " (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(x));
}
