std::string chain(int n) {
  std::string s;
  for (int i = 0; i < n; ++i)
    s += "xor (M1, 16) " + dst(i) + " " + src(i + 1) + " " + src(i) + "\n";
  return s;
}
std::string chip(int n) { return "Apple (M1, 16) " + name(n) + " " + year(n); }
