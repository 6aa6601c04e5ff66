std::string build(int n, bool half) {
  std::ostringstream os;
  os << "{\n";
  if (half) {
    os << ".decl v v_type=G type=hf num_elts=16 align=GRF\n";
  } else {
    os << ".decl v v_type=G type=f num_elts=16 align=GRF\n";
  }
  for (int i = 0; i < n; i++) {
    os << "mov (M1, 16) v(0,0)<1> $1(0,0)<1;1,0>\n";
  }
  os << "mov (M1, 12) $0(0,0)<1> v(0,0)<1;1,0>\n}\n";
  return os.str();
}
