template <int Column>
inline void set(int &x, int v) {
  asm("mov (M1_NM, 1) %0(0,%2:d)<1> %1(0,0)<0;1,0>" : "+rw"(x) : "rw.u"(v), "P"(Column));
}
