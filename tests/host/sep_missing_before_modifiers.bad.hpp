#define MMA_TILE(C, A, B)                                            \
  asm("{\n"                                                          \
      ".decl aA v_type=G type=ud num_elts=64 alias=<%1,0>\n"         \
      ".decl aB v_type=G type=ud num_elts=128 alias=<%2,0>"       \
      "dpas.bf.bf.8.8 (M1, 16) %0.0 %0.0 aB.0 aA(0,0)\n"             \
      "}\n"                                                          \
      : "+rw"(C) : "rw"(A), "rw"(B))
typedef float f8 __attribute__((ext_vector_type(8)));
typedef short s8 __attribute__((ext_vector_type(8)));
typedef int i8 __attribute__((ext_vector_type(8)));
inline void tile(f8 &c, s8 a, i8 b) { MMA_TILE(c, a, b); }
