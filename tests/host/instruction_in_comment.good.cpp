void f(float &acc) {
  asm volatile("mul (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x40000000:f // twice"
               " // add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x3f800000:f\n" : "+rw"(acc));
}
