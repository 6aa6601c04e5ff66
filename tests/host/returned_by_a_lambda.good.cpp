std::string line(int to, int from) {
  auto source = [](int n) { return "V" + std::to_string(n) + "(0,0)<1;1,0>"; };
  auto target = [](int n) { return "V" + std::to_string(n) + "(0,0)<1>"; };
  return "max (M1, 16) " + target(to) + " " + source(from) + " " + source(to) + "\n";
}
