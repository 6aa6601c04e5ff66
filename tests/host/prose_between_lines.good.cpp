#include <iostream>
#include <string>
// add the numbers: this comment is none of the lines.
void emit(std::ostream &os, bool verbose) {
  os << "mov is slow on this platform\n";
  os << "add the numbers of both tiles (see the manual)\n";
  os << "or else: wait for the barrier, then load\n";
  os << "mov (M1, 16) t(0,0)<1> 0x1:d\n";
  os << "add (M1, 16) t(0,0)<1> t(0,0)<1;1,0> 0x1:d\n";
}
void help(FILE *out) {
  fprintf(out, "add the numbers together with --sum\n");
  fprintf(out, "mov (M1, 16) t(0,0)<1> 0x1:d\n");
  fprintf(out, "mul them\n");
  fprintf(out, "and (M1, 16) t(0,0)<1> t(0,0)<1;1,0> 0x1:d\n");
}
const char *usage = "add numbers\n"
                    "mov (M1, 16) t(0,0)<1> 0x1:d\n"
                    "mul (M1, 16) is the same for products\n";
