int f(int x) {
  int y;
  asm("rol (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> " AMOUNT ":d\nmov (M1, 16) %0(0,0)<1> " SOURCE "" : "=rw"(y) : "rw"(x));
  return y;
}
