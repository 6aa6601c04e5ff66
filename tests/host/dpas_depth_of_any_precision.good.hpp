#define DPAS(TA, TB)                                                                                                   \
  asm volatile("dpas." #TA "." #TB ".8.8 (M1, 16) %0.0 %0.0 %2.0 %1(0,0)" : "+rw"(c) : "rw"(a), "rw"(b))
