constexpr float bias = 1.5f;
void k(__global int *o) {
  int a = o[0], r;
  asm("and (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x7:d" : "=rw"(r) : "rw"(a), "i"(bias));
  o[0] = r;
}
