#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define MESSAGE(kind, cache, lanes) STRING(lsc_##kind.ugm.uc.cache (M1, lanes))
#define LANES 16
inline int peek(const int *p) {
  int v;
  asm volatile(MESSAGE(load, uc, LANES) " %0:d32 flat[%1]:a64" : "=rw"(v) : "rw"(p));
  return v;
}
inline void poke(int *p, int v) {
  asm volatile(MESSAGE(stor, uc, LANES) " flat[%0]:a64 %1:d32" : : "rw"(p), "rw"(v));
}
