template <int N> using fvec = float __attribute__((ext_vector_type(N)));
struct tile {
  static void clear(fvec<8> (&acc)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      asm volatile("mov (M1, 32) %0(16,0)<1> 0x0:f" : "=rw"(acc[i]));
  }
};
