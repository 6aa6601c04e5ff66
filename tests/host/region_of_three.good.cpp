inline unsigned ballot(unsigned v) {
  unsigned r;
  asm volatile("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(v));
  return r;
}
