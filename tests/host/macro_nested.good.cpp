#define LSC_LOAD_(cache, size, dst, ptr) \
  __asm__ volatile("lsc_load.ugm" cache " (M1, 16) %0:" size " flat[%1]:a64" : "=rw"(dst) : "rw"(ptr))
#define LSC_LOAD_U32(cache, dst, ptr) LSC_LOAD_(cache, "d32", dst, ptr)
inline unsigned ld(const unsigned *p) { unsigned v; LSC_LOAD_U32(".ca.ca", v, p); return v; }
inline unsigned ld2(const unsigned *p) { unsigned v; LSC_LOAD_U32(".uc.uc", v, p); return v; }
