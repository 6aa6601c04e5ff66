std::string sum(unsigned half) {
  return llvm::formatv("add (M1_NM, {0}) T(0,0)<1> T(0,0)<1;1,0> T(0,{0})<1;1,0>\n"
                       "mov (M1_NM, 16) $0(0,0)<1> T(0,0)<0;1,0>\n", half).str();
}
