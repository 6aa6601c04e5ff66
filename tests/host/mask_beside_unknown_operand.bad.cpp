std::string f(int i) {
  return "mov (M2, 16) r" + std::to_string(i) + "(0,0)<1> 0x0:d\n";
}
