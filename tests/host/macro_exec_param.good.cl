#define STR1(x) #x
#define STR(x) STR1(x)
#define MOVE(n, d, s) asm("mov (M1, " STR(n) ") %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(d) : "rw"(s))
kernel void k(global int *p) {
  int x = p[get_global_id(0)], y;
  MOVE(16, y, x);
  MOVE(16, x, y);
  p[get_global_id(0)] = x;
}
