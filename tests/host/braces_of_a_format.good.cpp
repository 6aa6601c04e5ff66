std::string guarded(int n) {
  const std::string declaration = fmt::format("{{\n.decl PG v_type=P num_elts={}\n", n);
  const std::string test = fmt::format("cmp.gt (M1, {}) PG $1(0,0)<1;1,0> 0x0:d\n", n);
  const std::string move = fmt::format("(PG) mov (M1, {}) $0(0,0)<1> $1(0,0)<1;1,0>\n}}\n", n);
  return declaration + test + move;
}
