#define LINE(text) code += text "\n"
std::string clamp() {
  std::string code;
  LINE("mov (M1, 16) Q(0,0)<1> $0(0,0)<1;1,0>");
  LINE("min (M1, 16) Q(0,0)<1> Q(0,0)<1;1,0> 0x7f:dd");
  LINE("mov (M1, 16) $0(0,0)<1> Q(0,0)<1;1,0>");
  return code;
}
