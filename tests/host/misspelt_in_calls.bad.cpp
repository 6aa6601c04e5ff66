void kernel(Writer &w) {
  w.line("{");
  w.line(".decl t v_type=G type=ud num_elts=16 align=GRF");
  w.line("mov (M1, 16) t(0,0)<1> 0x0:ud");
  w.line("barier");
  w.line("}");
}
