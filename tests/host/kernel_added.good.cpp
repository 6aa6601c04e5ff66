#include <string>
std::string gen() {
  std::string k;
  k += ".version 4.1\n.kernel \"k\"\n";
  k += ".decl A v_type=G type=d num_elts=16 align=GRF\n";
  k += "mov (M1_NM, 16) A(0,0)<1> 0x0:d\n";
  k += "ret (M1, 1)\n";
  return k;
}
