#define SINE(d, s) __asm__("sin (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(d) : "rw"(s))
kernel void k(global float *p) {
  float x = p[get_global_id(0)], y;
  SINE(y, x);
  SINE(x, (int)y);
  p[get_global_id(0)] = x;
}
