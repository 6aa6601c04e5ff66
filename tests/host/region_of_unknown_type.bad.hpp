template <typename T> void gather(T &to, T const &from) {
  asm volatile("mov (M1, 16) %0(0,0)<1> %1(0,0)<4;3,1>" : "=rw"(to) : "rw"(from));
}
