#include <string>
#include <vector>
std::vector<std::string> mask() {
  std::vector<std::string> lines;
  lines.emplace_back("{");
  lines.emplace_back(".decl m v_type=G type=ud num_elts=16 align=GRF");
  lines.push_back("and (M1, 16) m(0,0)<1> m(0,0)<1;1,0> 0x7fffffff:ud");
  lines.push_back("}");
  return lines;
}
std::vector<std::string> alternatives() {
  std::vector<std::string> all;
  all.push_back(".decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> 0x1:d\n");
  all.push_back(".decl t v_type=G type=f num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> 0x0:f\n");
  return all;
}
