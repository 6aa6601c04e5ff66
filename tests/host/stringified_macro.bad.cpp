#define LANES 16
#define TYPE dd
#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
void f(int &y, int x) {
  asm(XSTR(add (M1, LANES) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:TYPE) : "=rw"(y) : "rw"(x));
}
