template <typename T> inline void zero(T &x) {
  asm("xor (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %0(0,0)<1;1,0>" : "=rw"(x));
}
