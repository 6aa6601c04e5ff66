__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  int x = 1;
#if (0)
  __asm__("movi (M1, 6) %0 0x1:d" : "=rw"(x));
#elif 0 && defined(FAST)
  __asm__("movi (M1, 6) %0 0x2:d" : "=rw"(x));
#elif 1 || SLOW
  __asm__("mov (M1, 16) %0(0,0)<1> 0x3:d" : "=rw"(x));
#elif defined(SMALL)
  __asm__("movi (M1, 6) %0 0x4:d" : "=rw"(x));
#else
  __asm__("movi (M1, 6) %0 0x5:d" : "=rw"(x));
#endif
  p[get_global_id(0)] = x;
}
