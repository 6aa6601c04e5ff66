kernel void k(global int *p) {
  int x = p[0], y;
  asm("add (M1, 16) %[sum](0,0)<1> %1(0,0)<1;1,0> 0x1:d" : [sum] "=rw"(y) : "[sun]"(x));
  p[0] = y;
}
