template <typename T> inline void flip(T &x) {
  asm("xor (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "+rw"(x));
}
