#include <string>
void add(std::string &s, int reg) {
  s += "add (M1, 16) V";
  s += std::to_string(reg);
  s += "(0,0)<1> V";
  s += std::to_string(reg);
  s += "(0,0)<1;1,0> 0x1:dd\n";
}
