void f(int *p) {
  int r;
  asm("add (M1, 16) %[sum](0,0)<1> %[sum](0,0)<1;1,0> 0x1:d" : [sum] "=rw"(r) : "[sun]"(p[0]));
  p[0] = r;
}
