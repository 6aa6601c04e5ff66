#include <string>
void gen(std::string &out, int n) {
  out.append("add (M1, 16) ").append("V").append(std::to_string(n)).append("(0,0)<1> ");
  out.append("V0");
  out += "(0,0)<1;1,0> 0x1:d\n";
}
