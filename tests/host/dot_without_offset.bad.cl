kernel void k(global int *p) {
  int old, add = 1;
  asm volatile("lsc_atomic_iadd.ugm.uc.uc (M1, 16) %0:d32 flat[%1]:a64 %2. %%null\n" : "=rw"(old) : "rw"(p), "rw"(add));
  p[0] = old;
}
