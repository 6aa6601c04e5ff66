#define STR_(x) #x
#define STR(x) STR_(x)
#define W 16
void f(int &x, int y) {
  asm("mov (M1, " STR(W) ") %0(0,0)<1> %1(0,0)<1;1>\n" : "=rw"(x) : "rw"(y));
}
