#define LANES(n) "(M1, " n ") "
#define DST(op) op "(0,0)<1> "
#define SRC(op) op "(0,0)<1;1,0> "
void f(int &x, int y) {
  asm("mov " LANES("16") DST("%0") SRC("%1") "\n" : "=rw"(x) : "rw"(y));
}
