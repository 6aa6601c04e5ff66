using v8s = short __attribute__((ext_vector_type(8)));
inline v8s load8x16(const void *base, int w, int h, int pitch, int x, int y) {
  v8s out;
  asm volatile("lsc_load_block2d.ugm (M1, 1) %0:d16.0x8nn flat[%1,%2,%3,%4,%5,%6]"
               : "=rw"(out) : "rw.u"(base), "rw.u"(w), "rw.u"(h), "rw.u"(pitch), "rw.u"(x), "rw.u"(y));
  return out;
}
