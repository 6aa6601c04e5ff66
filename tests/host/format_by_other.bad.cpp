std::string gen(int r) {
  return absl::StrFormat("add (M1, 16) V%d(0,0)<1> V%d(0,0)<1;1,0> 0x1:i\n", r, r);
}
