void emit(std::ostream &os, const std::string &name) {
  os << "{\n" << ".decl " << name << " v_type=G type=ud num_elts=16 align=GRF\n";
  os << "mov (M1, 16) " << name << "(0,0)<1> 0x0:ud\n";
  os << "barrier\n";
  os << "}\n";
}
