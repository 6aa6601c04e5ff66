#include <cinttypes>
#include <cstdio>
void emit(FILE *f, uint32_t v, int lanes) {
  fprintf(f, "mov (M1, %d) tmp(0,0)<1> 0x%" PRIx32 ":ud\n", lanes, v);
  fprintf(f, "add (M1, 16) tmp(0,0)<1> tmp(0,0)<1;1,0> 0x%" PRIx32 "\n", v);
}
