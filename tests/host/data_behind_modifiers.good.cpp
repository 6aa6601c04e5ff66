#include "hints.h"
inline void store(float *p, float v) {
  asm("lsc_store.ugm" HINTS " (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p), "rw"(v));
}
