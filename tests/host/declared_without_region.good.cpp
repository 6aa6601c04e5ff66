inline void copy(float &y, float x) {
  asm volatile("{\n.decl t v_type=G type=f num_elts=8 align=GRF\n"
               "mov (M1, 8) t(0,0)<1> %1(0,0)<1;1,0>\n"
               "mov (M1, 8) %0(0,0)<1> t(0,0)<1;1,0>\n}" : "=rw"(y) : "rw"(x));
}
