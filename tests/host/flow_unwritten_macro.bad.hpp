#pragma once
#define RUN_IT(d, e, a) \
  do { \
  asm volatile("add (M1, 16) %0(0,0)<1> %2(0,0)<1;1,0> 0x1:d\n" \
          : "=rw"(d), "=rw"(e) \
          : "rw"(a)); \
  } while (0)

inline void run(int &d, int &e, int a) {
  RUN_IT(d, e, a);
}
