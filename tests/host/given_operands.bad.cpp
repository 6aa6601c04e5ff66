std::string chain(int n) {
  std::string s;
  for (int i = 0; i < n; ++i)
    s += "xorr (M1, 16) " + dst(i) + " " + src(i + 1) + " " + src(i) + "\n";
  return s;
}
