#define SCALE (2.0f)
#define ONE 1
void f(global int *p) {
  int r, a = p[0];
  asm("shl (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %3" : "=rw"(r) : "rw"(a), "i"(SCALE), "i"(ONE));
  p[1] = r;
}
