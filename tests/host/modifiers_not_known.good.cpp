#include "hints.h"
inline float load(const float *p) {
  float v;
  asm("lsc_load.ugm" HINTS " (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(v) : "rw"(p));
  return v;
}
