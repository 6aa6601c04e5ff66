template <int M> void product(float8 &c, int8 a, int8 b) {
  asm volatile("dpas.bf.bf.8.%3 (M1, 8) %0.0 %0.0 %2.0 %1(0,0)" : "+rw"(c) : "rw"(a), "rw"(b), "P"(M));
}
