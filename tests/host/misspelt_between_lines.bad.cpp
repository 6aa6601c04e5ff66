#include <iostream>
void emit(std::ostream &os, bool verbose) {
  os << "mov is slow on this platform\n";
  os << "mov (M1, 16) t(0,0)<1> 0x1:d\n";
  os << "ad (M1, 16) t(0,0)<1> t(0,0)<1;1,0> 0x1:d\n";
  os << "add the numbers of both tiles\n";
  os << "mov (M1, 16) t(0,0)<1> t(0,0)<1;1,0>\n";
}
