#define VISA_OP(op, ...) __asm__ volatile(op " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n" __VA_ARGS__)
static inline float f(float x, float y) {
  float r;
  VISA_OP("mul", : "=rw"(r) : "rw"(x), "v"(y));
  return r;
}
