void emit(std::ostream &os, const char *mask) {
  os << "(P1) sel (" << mask << ", 16) dst(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>\n";
}
