struct Sizes { static constexpr int LANES = 16; };
inline void f(int &x) {
  asm("{\n.decl t v_type=G type=d num_elts=%1 align=GRF\nmov (M1, 16) t(0,0)<1> %0(0,0)<1;1,0>\n"
      "mov (M1, 16) %0(0,0)<1> t(0,0)<1;1,0>\n}" : "+rw"(x) : "P"(Sizes::LANES));
}
