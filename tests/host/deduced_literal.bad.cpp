template <typename T> void put(T v) {
  asm volatile("and (M1, 16) %%null(0,0)<1> %0(0,0)<1;1,0> 0x1:d" :: "rw"(v));
}
void f() { put(1.0f); }
