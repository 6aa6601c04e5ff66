#include <string>
using namespace std::string_literals;
std::string clear(const std::string &name) {
  return "mov (M1_NM, 16) "s + name + "(0,0)<1> 0x0:d\n"s;
}
