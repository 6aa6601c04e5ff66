#include <iostream>
void emit(std::ostream &os) {
  os << "mov (M1, 16) t(0,0)<1> 0x1:d\n";
  os << "add (M1, 16) t(0,0)<1> t(0,0)<1;1,0> 0x1:d\n";
  os << "mov (M1, 16) t(0,0)<1> t(0,0)<1;1,0>\n";
}
const char *text = "add (M1, SIZE) t(0,0)<1> t(0,0)<1;1,0> 0x1:d";
