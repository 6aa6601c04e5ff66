#include <stdio.h>
void emit(FILE *f, int simd, const char *type) {
  fprintf(f,
          "kernel void k(global %s *p) {\n"
          "  int v = p[0];\n"
          "  __asm__(\"shr (M1, %d) %%0(0,0)<1> %%0(0,0)<1;1,0> 0x2:uw\" : \"+rw\"(v));\n"
          "}\n", type, simd);
}
