#include <stdio.h>
void emit(FILE *f, const char *name) {
  fprintf(f, "__attribute__((intel_reqd_sub_group_size(16)))\nkernel void k(global float *p) {\n");
  fprintf(f, "  float v = p[0];\n");
  fprintf(f, "  __asm__(\"%s (M1, 16) %%0(0,0)<1> 0x3f800000:f\" : \"=rw\"(v));\n}\n", name);
}
