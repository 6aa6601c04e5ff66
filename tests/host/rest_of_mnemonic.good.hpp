#include "carry.h"
template <class T> inline void f(T &sum, T &carry, T a, T b) {
  asm("add" CARRY " (M1, 16) %0(0,0)<1> %1(0,0)<1> %2(0,0)<1;1,0> %3(0,0)<1;1,0>" : "=rw"(sum), "=rw"(carry) : "rw"(a), "rw"(b));
}
