void scaled(std::string &out, int n, int stride) {
  fmt::format_to(std::back_inserter(out), "mul (M1_NM, {}) OFFS(0,0)<1> $1(0,0)<1;1,0> {}:ud\n", n, stride);
}
