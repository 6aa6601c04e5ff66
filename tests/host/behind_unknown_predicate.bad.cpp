std::string sel(const std::string &p, const std::string &d, const std::string &a, const std::string &b) {
  return "(" + p + ") sell (M1, 16) " + d + " " + a + " " + b + "\n";
}
