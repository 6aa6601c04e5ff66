#include <string>
std::string mov(std::string d, std::string s) {
  return "mov (M1, 16) " + d + "(0,0)<1> " + s + "(0,0)<1>\n";
}
void use(std::vector<std::string> &out, const std::string &d) {
  out.push_back(std::string("lsc_load.ugm.ca.ca (M1, 16) ") + d + ":d32 flat[" + d + "]:a64\n");
}
