#define LOAD(dst, ptr, cache, size) \
  __asm__ volatile("lsc_load.ugm" cache " (M9, 16) %0:" size " flat[%1]:a64" : "=rw"(dst) : "rw"(ptr))
