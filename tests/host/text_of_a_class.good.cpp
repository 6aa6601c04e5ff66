#include <sstream>

struct Emitter {
  std::ostringstream os;
  void begin() {
    os << "{\n";
    os << ".decl acc v_type=G type=d num_elts=16 align=GRF\n";
    os << "mov (M1, 16) acc(0,0)<1> $1(0,0)<1;1,0>\n";
  }
  void end() {
    os << "add (M1, 16) $0(0,0)<1> acc(0,0)<1;1,0> $1(0,0)<1;1,0>\n";
    os << "}\n";
  }
  std::string done() {
    return os.str();
  }
};
