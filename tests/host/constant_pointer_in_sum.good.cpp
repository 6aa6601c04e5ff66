#include <string>
static const char *const kDst = "dst(0,0)<1> ";
std::string f(const std::string &n) {
  return std::string("mov (M1, 16) ") + kDst + n + "(0,0)<1;1,0>\n";
}
