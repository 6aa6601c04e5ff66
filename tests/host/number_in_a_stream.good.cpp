void fields(std::ostream &os, const std::string &name, int columns, unsigned bits) {
  os << "mov (M1_NM, 1) " << name << "(0,2)<1> " << columns - 1 << ":ud\n";
  os << "mov (M1_NM, 1) " << name << "(0,4)<1> 0x" << std::hex << bits << std::dec << ":ud\n";
}
