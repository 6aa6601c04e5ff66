#define STEP(d, s) "add (M1, 16) " d "(0,0)<1> " d "(0,0)<1;1,0> " s "(0,0)<1;1,0>\n"
void f(int &x, int y) {
  asm(STEP("%0", "%1")
      STEP("%0", "%1") : "+rw"(x) : "rw"(y));
}
