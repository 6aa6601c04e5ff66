inline void copy(std::vector<vec<int, 2>> all) {
  asm("mov (M1, 16) %0(0,0)<1> 0:w" : "+rw"(std::vector<vec<int,2>>(3)));
}
