std::string reduced(int lanes, const std::string &op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\n.decl sum v_type=G type=f num_elts=16 align=GRF\n";
  os << "mov (M1_NM, 16) sum(0,0)<1> $1(0,0)<1;1,0>\n";
  for (int n = lanes / 2; n; n /= 2)
    os << op << " (M1_NM, " << n << ") sum(0,0)<1> sum(0,0)<1;1,0> summ(0," << n << ")<1;1,0>\n";
  os << "mov (M1_NM, 16) $0(0,0)<1> sum(0,0)<0;1,0>\n}";
  return text;
}
