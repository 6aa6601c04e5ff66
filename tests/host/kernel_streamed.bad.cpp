#include <sstream>
std::string gen() {
  std::stringstream out;
  out << ".version 4.1\n.kernel \"k\"\n"
      << ".decl A v_type=G type=d num_elts=16 align=GRF\n"
      << "mov (M1_NM, 16) B(0,0)<1> 0x0:d\n"
      << "ret (M1, 1)\n";
  return out.str();
}
