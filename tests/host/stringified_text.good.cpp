#define STR(...) #__VA_ARGS__
#define LINE(...) STR(__VA_ARGS__) "\n"
#define LANES 16
void f(int &y, int x) {
  asm("{\n"
      LINE(.decl t v_type=G type=d num_elts=16 align=GRF)
      LINE(mov (M1_NM, LANES) t(0,0)<1> %1(0,0)<1;1,0>)
      LINE(add (M1, LANES) %0(0,0)<1> t(0,0)<1;1,0> 0x1:d)
      "}\n"
      : "=rw"(y) : "rw"(x));
}
