#include <string>
static const std::string head = "{\n.decl half v_type=G type=f num_elts=16 align=GRF\n";
static const std::string body = "mul (M1, 16) half(0,0)<1> $1(0,0)<1;1,0> 0x3f000000:f\n";
static const std::string tail = "mov (M1, 16) $0(0,0)<1> halve(0,0)<1;1,0>\n}\n";
std::string halved() { return head + body + tail; }
std::string shifted(int by) {
  std::string text = head;
  text += "mov (M1, 16) half(0,0)<1> $" + std::to_string(by) + "(0,0)<1;1,0>\n";
  text += tail;
  return text;
}
