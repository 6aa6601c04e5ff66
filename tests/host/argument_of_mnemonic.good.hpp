#define STR(x) #x
#define ATOMIC(name, op, T)                                                                            \
  inline T name(T *p, T v) {                                                                           \
    T old;                                                                                             \
    asm volatile("lsc_atomic_" STR(op) ".ugm.uc.wb (M1, 16) %0:d32 flat[%1]:a64 %2 %%null"             \
                 : "=rw"(old) : "rw"(p), "rw"(v) : "memory");                                          \
    return old;                                                                                        \
  }
ATOMIC(add_int, iadd, int)
ATOMIC(max_int, smax, int)
