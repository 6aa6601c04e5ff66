#define MEMORY_(op, size, dst, ptr) \
  asm volatile(op ".ugm (M1, 16) %0:" size " flat[%1]:a64" : "=rw"(dst) : "rw"(ptr))
#define LOAD(size, dst, ptr) MEMORY_("lsc_load", size, dst, ptr)
