template <typename T> inline void pick(T &d, const T &a, const T &b) {
  asm("{\n.decl q v_type=P num_elts=32\n"
      "setp (M1_NM, 32) q 0x5555:ud\n"
      "(q) mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n"
      "(!q) mov (M1, 16) %0(0,0)<1> %2(0,0)<1;1,0>\n}" : "=rw"(d) : "rw"(a), "rw"(b));
}
