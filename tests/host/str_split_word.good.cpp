void f(int &x) {
  asm("mo"
      "v (M1, 16) %0(0,0)<1> 0x1:d\n" : "+rw"(x));
}
