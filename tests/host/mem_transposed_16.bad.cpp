void f(int &v, const int *p) {
  asm("lsc_load.ugm (M1, 16) %0:d32x16t flat[%1]:a64" : "=rw"(v) : "rw"(p));
}
