#define DEVICE_ONLY
template <class T> struct Kernel {
  static void run(float &r, float x, int y) DEVICE_ONLY {
    asm("mul (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(x));
  }
};
