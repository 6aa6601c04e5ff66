#include <cstdio>
#define EMIT(fmt, ...) std::fprintf(out, fmt "\n", ##__VA_ARGS__)
#define LOG(fmt, ...) std::fprintf(stderr, fmt "\n", ##__VA_ARGS__)
void body(std::FILE *out, int id, int elems) {
  EMIT(".decl acc%d v_type=G type=f num_elts=%d align=GRF", id, elems);
  EMIT("mov (M1, 16) acc%d(0,0)<1> 0x0:f", id);
  LOG("mov (M1, 6) acc%d(0,0)<1> 0x0", id);
}
