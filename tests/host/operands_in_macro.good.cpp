int f(int x) {
  int y;
  asm("mad (M1, 16) " OUT_AND_SOURCE " %1(0,0)<1;1,0> %1(0,0)<1;1,0>\nmov (M1, 16) %0 " REGION " %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  return y;
}
