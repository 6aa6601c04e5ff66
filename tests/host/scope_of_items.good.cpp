#include <string>
#include <vector>
std::vector<std::string> fragment() {
  std::vector<std::string> l;
  l.push_back("{");
  l.push_back(".decl prd v_type=P num_elts=16");
  l.push_back("cmp.lt (M1, 16) prd $1(0,0)<1;1,0> 0x0:d");
  l.push_back("(prd) sel (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x0:d");
  l.push_back("}");
  return l;
}
