std::string copy(const std::string &to, const std::string &from) {
  return "mov (M1-NM, 16) " + to + "(0,0)<1> " + from + "(0,0)<0;1,0>\n";
}
