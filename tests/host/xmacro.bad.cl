#define LIST(X) X(add, d) X(mul, w)
#define ONE(op, ty) __asm__ volatile(#op " (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x2:" #ty : "+rw"(x));
kernel void k(global int *p) {
  int x = p[get_global_id(0)];
  ONE(add, d)
  ONE(mul, q4)
  p[get_global_id(0)] = x;
}
