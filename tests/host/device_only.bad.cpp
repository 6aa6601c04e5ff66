inline unsigned long long ticks() {
#if !defined(__SYCL_DEVICE_ONLY__) && defined(__x86_64__)
  unsigned lo, hi;
  asm volatile("rdtsc" : "=a"(lo), "=d"(hi));
  return ((unsigned long long)hi << 32) | lo;
#else
  unsigned long long t;
  asm volatile("mov (M1, 1) %0(0,0)<1> %tsc(0,0)<0;1,0>" : "=rw"(t));
  return t;
#endif
}
