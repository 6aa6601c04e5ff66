void copy(std::string *out, const std::string &to, const std::string &from) {
  absl::StrAppend(out, "mov (M1, 16) ", to, "(0,0)<1> ", from, "(0,0)<1;1,0>\n");
}
