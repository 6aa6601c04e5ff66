#include <string>
#include <vector>
namespace visa {
std::vector<std::string> prologue() {
  return {
    ".decl tmp v_type=G type=d num_elts=16 align=GRF",
    "mov (M1, 16) tmp(0,0)<1> 0x1:dw",
    "add (M1, 16) tmp(0,0)<1> tmp(0,0)<1;1,0> 0x2:d",
  };
}
}
