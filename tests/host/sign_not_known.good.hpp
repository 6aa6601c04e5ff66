#include "signs.h"
template <class T> inline void f(T &c, T a, T b) {
  asm("mad (M1, 16) %0(0,0)<1> " SIGN "%1(0,0)<1;1,0> %2(0,0)<1;1,0> %0(0,0)<1;1,0>" : "+rw"(c) : "rw"(a), "rw"(b));
}
