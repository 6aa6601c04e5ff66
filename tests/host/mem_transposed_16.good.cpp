void f(int &v, const int *p) {
  asm("lsc_load.ugm (M1, 1) %0:d32x16t flat[%1]:a64" : "=rw"(v) : "rw"(p));
}
