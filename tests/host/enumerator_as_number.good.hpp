enum : int { ONE = 1, ROWS = 32 };
template <class T> void f(T &t, long b, int w, int h, int p, int x, int y) {
  asm("lsc_load_block2d.ugm (M1, 1) %0:d16.16x%7nn flat[%1,%2,%3,%4,%5,%6]"
      : "=rw"(t) : "rw.u"(b), "rw.u"(w), "rw.u"(h), "rw.u"(p), "rw.u"(x), "rw.u"(y), "P"(ROWS));
}
