template <typename T> void mask(T &to, T const &from) {
  asm volatile("and (M1, 16) %0(0,0)<1> (-)%1(0,0)<1;1,0> %1(0,0)<1;1,0>" : "=rw"(to) : "rw"(from));
}
