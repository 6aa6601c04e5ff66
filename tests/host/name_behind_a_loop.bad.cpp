std::string build(int rows) {
  std::ostringstream os;
  os << "{\n";
  os << ".decl acc v_type=G type=f num_elts=128 align=GRF\n";
  os << "mov (M1_NM, 16) acc(0,0)<1> 0x0:f\n";
  for (int r = 0; r < rows; ++r) {
    os << "add (M1, 16) acc(" << r << ",0)<1> acc(0,0)<1;1,0> $1(0,0)<1;1,0>\n";
  }
  os << "mov (M1, 16) $0(0,0)<1> acd(0,0)<1;1,0>\n";
  os << "}\n";
  return os.str();
}
