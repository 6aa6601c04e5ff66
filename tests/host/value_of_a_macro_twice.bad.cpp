#define LANES "24"
#define KIND "d"
void scale(int &y, int x) {
  asm volatile("mul (M1, " LANES ") %0(0,0)<1> %1(0,0)<1;1,0> 0x3:" KIND "\n"
               "add (M1, " LANES ") %0(0,0)<1> %0(0,0)<1;1,0> 0x1:" KIND "\n"
               : "=rw"(y) : "rw"(x));
}
