#include <ostream>
struct Writer {
  std::ostream *os;
  void emit(bool wide) {
    if (wide) *this->os << "mov (M1, 16) a(0,0)<1> 0x1:d\n";
    else *this->os << "mov (M1, 8) a(0,0)<1> 0x1:d\n";
  }
};
