template <int Imm> inline int add(int x) {
  int y;
  asm("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2\n"
      "shl (M1, 16) %0(0,%2)<1> %0(0,%2)<1;1,0> 0x%2:d" : "+rw"(y) : "rw"(x), "P"(Imm));
  return y;
}
