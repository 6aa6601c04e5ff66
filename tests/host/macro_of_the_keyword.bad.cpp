#define DEVICE_ASM asm volatile
inline void twice(int &x) {
  DEVICE_ASM("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x2:i32" : "+rw"(x));
}
