#define SHAPE(W, H) #W "x" #H "nn"
template <class T> void load(T &t, long base, int w, int h, int p, int x, int y) {
  asm("lsc_load_block2d.ugm (M1, 1) %0:d16." SHAPE(16, 32) " flat[%1,%2,%3,%4,%5,%6]"
      : "=rw"(t) : "rw.u"(base), "rw.u"(w), "rw.u"(h), "rw.u"(p), "rw.u"(x), "rw.u"(y));
}
