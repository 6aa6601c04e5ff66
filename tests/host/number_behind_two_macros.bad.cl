#define WIDTH 12
#define S_(x) #x
#define S(x) S_(x)
#define EXEC(n) "(M1, " S(n) ") "
void k(__global int *o) {
  int a = o[0], r;
  asm("mov " EXEC(WIDTH) "%0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(a));
  o[0] = r;
}
