inline void both(int &a, int *p, int b) {
  asm("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64\n" "lsc_store.ugm (M1, 16) flat[%1]:a64 %2:d32\n" : "=rw"(a) : "rw"(p), "rw"(b));
}
