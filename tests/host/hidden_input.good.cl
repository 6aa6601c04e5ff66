kernel void k(global int *p) {
  int v = p[0], w = p[1];
  __asm__("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %0(0,0)<1;1,0>" : "+rw"(v) : "rw"(w));
  p[0] = v;
}
