#include <string>
constexpr std::string_view head = "{\n.decl sum v_type=G type=f num_elts=16 align=GRF\n";
constexpr std::string_view body = "mul (M1, 16) sum(0,0)<1> $1(0,0)<1;1,0> $1(0,0)<1;1,0>\n";
constexpr std::string_view tail = "mov (M1, 16) $0(0,0)<1> sum(0,0)<1;1,0>\n}\n";
std::string square() {
  std::string all;
  all.append(head).append(body).append(tail);
  return all;
}
void Writer::end() { out() << "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\nnot (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n}" << more(); }
