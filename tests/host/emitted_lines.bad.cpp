#include "Writer.h"
void prologue(Writer &w, int n) {
  w.line(".decl sum v_type=G type=f num_elts=16 align=GRF");
  w.line("mov (M1, 16) sum(0,0)<1> 0x0:f");
  for (int i = 0; i < n; ++i)
    w.step(i);
  w.line("mul (M1, 16) sum(0,0)<1> sum(0,0)<1;1,0>");
  w.line("inv (M1, 16) sum(0,0)<1> sum(0,0)<1;1,0>");
  w.part("add (M1, 16) sum(0,0)<1>");
  w.part(" sum(0,0)<1;1,0> 0x0:f");
}
