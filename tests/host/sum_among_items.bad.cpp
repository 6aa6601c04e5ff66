std::string prologue(int n) {
  return llvm::join(std::vector<std::string>{
      "{",
      ".decl W v_type=G type=w num_elts=" + std::to_string(n) + " align=GRF",
      "mov (M1, 16) W(0,0)<1> $1(0,0)<1;1,0>",
      "add (M1, 16) W(0,0)<1> WW(0,0)<1;1,0> 0x1:w",
      "}"}, "\n");
}
