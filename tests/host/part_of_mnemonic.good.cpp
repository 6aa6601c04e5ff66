#include "hints.h"
inline void f(int *p, int x) {
  asm("lsc_atomic_" OPERATION ".ugm (M1, 16) %%null:d32 flat[%0]:a64 %1 %%null" :: "rw"(p), "rw"(x));
}
