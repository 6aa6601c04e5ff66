#include <ostream>
std::ostream &open(int n);
struct Writer { std::ostream &line(); std::ostream *os; std::ostream &at(int n); };
void emit(Writer &w, bool wide) {
  open(w.at(1)) << "mov (M1, 16) a(0,0)<1> 0x1:d\n";
}
void other(Writer &w, bool wide) {
  w.line() << "mov (M1, 16) a(0,0)<1> 0x1:d";
  w.os->at(3) << "mov (M1, 16) a(0,0)<1> 0x1:d\n";
  if (wide) *w.os << "mov (M1, 16) a(0,0)<1> 0x1:d\n";
  else *w.os << "mov (M1, 8) a(0,0)<1> 0x1:d\n";
}
void logs() {
  LOG(INFO) << "mov (M1, 17) a(0,0)<1> 0x1:d\n";
  logger.warn() << "mov (M1, 17) a(0,0)<1> 0x1:d\n";
  llvm::errs() << "mov (M1, 17) a(0,0)<1> 0x1:d\n";
}
void branches(Writer &w, std::ostream &os, int n) {
  os << "mov (M1, 16) b(0,0)<1> 0x1:d\n";
  if (n > 1) os << "again:\n";
  for (int i = 0; i < f(n); ++i) os << "add (M1, 16) b(0,0)<1> b(0,0)<1;1,0> 0x1:d\n";
}
