#define SQUARE(d, s)                                                               \
  asm volatile("" ".decl sq v_type=G type=f num_elts=16 align=GRF\n"  \
               "mul (M1, 16) sq(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0>\n"           \
               "mov (M1, 16) %0(0,0)<1> sq(0,0)<1;1,0>\n" ""               \
               : "=rw"(d) : "rw"(s))
inline float sum(float a, float b) { float c, d; SQUARE(c, a); SQUARE(d, b); return c + d; }
