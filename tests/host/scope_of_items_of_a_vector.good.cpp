std::vector<std::string> countdown() {
  return {
      "{",
      ".decl more v_type=P num_elts=16",
      "again_${:uid}:",
      "add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> -1:d",
      "cmp.gt (M1, 16) more $0(0,0)<1;1,0> 0x0:d",
      "(more) goto (M1, 16) again_${:uid}",
      "}",
  };
}
