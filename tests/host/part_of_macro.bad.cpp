#define DESTINATION "(0,0)<1>"
#define SOURCE "(0,0)<1>"
void f(int &y, int x) {
  asm("add (M1, 16) %0" DESTINATION " %1" SOURCE " 0x1:d\n" : "=rw"(y) : "rw"(x));
}
