void f(int &x) {
  asm("mo"
      "w (M1, 16) %0(0,0)<1> 0x1:d\n" : "+rw"(x));
}
