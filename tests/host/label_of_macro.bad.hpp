#define SPIN(v)                              \
  asm volatile("spin:\n"                       \
               "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n" : "+rw"(v))
inline void f(int a, int b) {
  SPIN(a);
  SPIN(b);
}
inline void g(int a) {
  SPIN(a);
}
