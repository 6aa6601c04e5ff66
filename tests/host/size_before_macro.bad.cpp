int f(int x) {
  int y;
  asm("rol (M1, 17) %0(0,0)<1> %1(0,0)<1;1,0> " AMOUNT ":d" : "=rw"(y) : "rw"(x));
  return y;
}
