std::string copies(int n) {
  std::vector<std::string> lines;
  lines.push_back("{");
  lines.push_back(absl::StrFormat(".decl T v_type=G type=ud num_elts=%d align=GRF", n));
  lines.push_back(absl::StrFormat("mov (M1_NM, %d) T(0,0)<1> $1(0,0)<1;1,0>", n));
  lines.push_back(fmt::format("mov (M1_NM, {}) $0(0,0)<1> T(0,0)<1;1,0>", n));
  lines.push_back("}");
  return absl::StrJoin(lines, "\n");
}
