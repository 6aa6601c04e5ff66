#define OP2(name, d, a, b) #name " (M1, 16) " d "(0,0)<1> " a "(0,0)<1;1,0> " b "(0,0)<1;1,0>\n"
#define EMIT(n) "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> " #n ":d\n"
void f(int &x, int y) {
  asm(OP2(add, "%0", "%1", "%1") OP2(mul, "%0", "%0", "%1") EMIT(0x3) : "=rw"(x) : "rw"(y));
}
