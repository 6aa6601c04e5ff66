#include <cstdio>
#define EMIT(...) std::fprintf(out, __VA_ARGS__)
#define LINE(text) os << text << "\n"
#define NOTE(...) std::fprintf(stderr, __VA_ARGS__)
void write(FILE *out, std::ostream &os, int n) {
  NOTE("mov (M1, 17) t%d(0,0)<1> 0x0:ff\n", n);
  EMIT(".decl t%d v_type=G type=f num_elts=16 align=GRF\n", n);
  EMIT("mov (M1, 16) t%d(0,0)<1> 0x0:f\n", n);
  LINE("mov (M1, 16) t(0,0)<1> 0x0:f");
}
#define OPERATION(rest) "add" rest
#define LOG(text) log(text)
std::string sum() { return OPERATION(" (M1, 16) t(0,0)<1> t(0,0)<1;1,0> 0x1:d\n"); }
void tell() { LOG("mov (M1, 17) t(0,0)<1> 0x0:f\n"); }
