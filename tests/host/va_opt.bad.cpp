#define LOAD(dst, src, ...) asm volatile("lsc_load.ugm" __VA_OPT__(".ca." #__VA_ARGS__) " (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(dst) : "rw"(src))
void k(int &x, const int *p) {
  LOAD(x, p);
  LOAD(x, p, ca);
  LOAD(x, p, cb);
}
