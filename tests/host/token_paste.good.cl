#define OP_add "add"
#define OP_mul "mul"
#define EMIT(name, d, s) asm(OP_##name " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x3:w" : "=rw"(d) : "rw"(s))
kernel void k(global int *p) {
  int x = p[get_global_id(0)], y;
  EMIT(add, y, x);
  p[get_global_id(0)] = y;
}
