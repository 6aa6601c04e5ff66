#ifdef __SYCL_DEVICE_ONLY__
#define DEVICE_ASM(...) __asm__ volatile(__VA_ARGS__)
#define BARRIER() DEVICE_ASM("barrier" ::: "memory")
#else
#define DEVICE_ASM(...)
#define BARRIER() std::abort()
#endif

inline int flipped(int x) {
  int y;
  BARRIER();
  DEVICE_ASM("not (M1, 17) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  return y;
}

#undef DEVICE_ASM
#define DEVICE_ASM(...) skip(__VA_ARGS__)
inline void nothing() { DEVICE_ASM("not (M1, 17) %0(0,0)<1>"); }
