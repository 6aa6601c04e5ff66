kernel void k(global int *p) {
  int x = 1;
  __asm__("{\n"
#if defined(FAST)
          "mov (M1, 16) %0(0,0)<1> 0x1:d\n"
#elif defined(SLOW)
          "mov (M1, 16) %0(0,0)<1> 0x1:i\n"
#else
          "mov (M1, 16) %0(0,0)<1> 0x2:d\n"
#endif
          "}\n" : "=rw"(x));
  p[get_global_id(0)] = x;
}
