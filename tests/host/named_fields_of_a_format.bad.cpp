std::string gather(int lanes) {
  return fmt::format(R"({{
  .decl at v_type=G type=ud num_elts={n} align=GRF
  shl (M1, {n}) at(0,0)<1> $1(0,0)<1;1,0> 0x2:ud
  lsc_load.slm (M1, {n}) $0:d32 flt[at]:a32
}})", fmt::arg("n", lanes));
}
