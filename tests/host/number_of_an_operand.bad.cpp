void move(std::ostream &os, int first) {
  os << "mov (M1, 16) V0(0,0)<1> $" << first << "(0,0)<1;1>\n";
}
