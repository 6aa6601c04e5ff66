inline void f(int a) {
  asm("add (M1, 16) %[r](0,0)<1> %[a(0,0)<1;1,0> 0x1:d\n"
      "add (M1, 16) %[r](0,0)<1> %[a](0,0)<1;1,0> 0x1:d\n" : [r] "+rw"(a) : [a] "rw"(a));
}
