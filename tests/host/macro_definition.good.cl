#define BINARY(op, d, a, b) asm(#op " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>" : "=rw"(d) : "rw"(a), "rw"(b))
kernel void k(global int *p) {
  int x = p[get_global_id(0)], y;
  BINARY(add, y, x, x);
  BINARY(mul, x, y, x);
  p[get_global_id(0)] = x;
}
