std::string loop(const std::string &body, int rounds) {
  std::string head = "{\n.decl N v_type=G type=d num_elts=1 align=dword\n.decl P v_type=P num_elts=1\n"
                     "mov (M1_NM, 1) N(0,0)<1> 0x0:d\nAGAIN:\n";
  std::string tail = "add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:d\n"
                     "cmp.lt (M1_NM, 1) P N(0,0)<0;1,0> " + std::to_string(rounds) + ":d\n"
                     "(P) goto (M1_NM, 1) AGAINN\n}\n";
  return head + body + tail;
}
