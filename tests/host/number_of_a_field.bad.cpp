std::string shifted(int k) {
  return fmt::format(R"({{
    .decl S v_type=G type=ud num_elts=16 align=GRF
    shl (M1, 16) S(0,0)<1> $1(0,0)<1;1,0> {}
    mov (M1, 16) $0(0,0)<1> S(0,0)<1;1,0>
  }})", k);
}
