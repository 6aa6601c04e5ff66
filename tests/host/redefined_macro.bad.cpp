#define LANES "16"
void f(int &x) { asm("mov (M1, " LANES ") %0(0,0)<1> 0x1:d" : "+rw"(x)); }
#undef LANES
#define LANES "12"
void g(int &x) { asm("mov (M1, " LANES ") %0(0,0)<1> 0x1:d" : "+rw"(x)); }
#undef LANES
void h(int &x) { asm("mov (M1, " LANES ") %0(0,0)<1> 0x1:d" : "+rw"(x)); }
