int scaled(int x) {
  const float by = -2.5f;
  int y;
  asm("shl (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2" : "=rw"(y) : "rw"(x), "i"(by));
  return y;
}
