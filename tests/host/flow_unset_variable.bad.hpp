template <typename T, int N = 4>
__attribute__((always_inline)) inline void step(T &d, T a) {
  asm volatile(R"asm(
      {
      .decl t v_type=G type=d num_elts=16 align=GRF
      add (M1, 16) %0(0,0)<1> t(0,0)<1;1,0> %1(0,0)<1;1,0>
      }
    )asm"
        : "=rw"(d)
        : "rw"(a));
}
