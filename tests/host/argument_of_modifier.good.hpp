typedef float acc8 __attribute__((ext_vector_type(8)));
typedef int a4 __attribute__((ext_vector_type(4)));
typedef int b8 __attribute__((ext_vector_type(8)));
#define DPAS(D, A, B, TB, TA)                                                \
  asm volatile("dpas." #TB "." #TA ".8.8 (M1, 16) %0.0 %0.0 %2.0 %1(0,0)"    \
               : "+rw"(D) : "rw"(A), "rw"(B))
inline void mma(acc8 &d, a4 a, b8 b) {
  DPAS(d, a, b, hf, hf);
  DPAS(d, a, b, bf, bf);
}
