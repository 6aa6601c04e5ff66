#define ASM_IN(...) "rw"(__VA_ARGS__)
inline void add(int &r, int a) {
  asm("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>" : "=rw"(r) : ASM_IN(a));
}
