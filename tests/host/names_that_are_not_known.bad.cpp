std::string reduce(std::string const &op, std::string const &view, std::string const &tmp, int n) {
  std::ostringstream os;
  os << "{\n.decl " << view << " v_type=G type=f num_elts=" << n << " alias=<$1,0>\n";
  os << ".decl " << tmp << " v_type=G type=f num_elts=" << n << " align=GRF\n";
  os << "mov (M1," << n << ") " << tmp << "(0,0)<1> " << view << "(0,0)<1;1,0>\n";
  os << op << " (M1," << n << ") " << tmp << "(0,0)<1> " << view << "(0,0)<1;1,0> " << tmp << "(0,0)<1;1,0>\n";
  os << "mvo (M1," << n << ") $0(0,0)<1> " << tmp << "(0,0)<1;1,0>\n}\n";
  return make(std::move(os).str(), "=rw,rw");
}
