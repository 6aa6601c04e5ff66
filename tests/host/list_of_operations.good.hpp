#define OPERATIONS(X) X(iadd) X(smin) X(umin)
#define DEFINE(op)                                                                                    \
  inline void op(int *p, int v) {                                                                     \
    asm("lsc_atomic_" #op ".ugm (M1, 16) %%null:d32 flat[%0]:a64 %1 %%null" :: "rw"(p), "rw"(v));     \
  }
OPERATIONS(DEFINE)
