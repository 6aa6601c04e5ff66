#include <iostream>
#include <string>
#include <vector>
// What these strings become is not known here.
void usage() {
  std::cerr << "mov (M1, 16) takes two operands, of which the second one has a region <8;8>\n";
  std::cout << "add (M1, 17) dst(0,0)<1> is refused\n";
  throw std::runtime_error("lsc_load (M1, 16) needs the address in brackets: flat[V1]:a64");
}
std::string unary(const std::string &op, const std::string &to, const std::string &from) {
  return op + " (M1, 16) " + to + "(0,0)<1> " + from + "(0,0)<1;1,0>\n";
}
std::string sized(int lanes) { return "mov (M1, " + std::to_string(lanes) + ") t(0,0)<1> 0x1" + ":d\n"; }
std::vector<std::string> parts() { return {"add (M1, 16)", "%0(0,0)<1>", "%1(0,0)<1;1,0>", "0x1:d"}; }
std::string joined() { return join({"add (M1, 16) %0(0,0)<1>", "%1(0,0)<1;1,0>", "0x1:d"}, " "); }
std::string begun() {
  std::string text("dpas.bf.bf.8.8 (M1, 16) %0.0 %0.0");
  finish(text);
  return text;
}
#define TYPED(op, type) op " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:" type "\n"
const char *all[] = {"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>", "and so on: see the manual for more"};
