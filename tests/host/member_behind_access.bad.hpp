template <typename T> class Output {
public:
  T *base;
  void store(T v) const {
    asm("lsc_store.ugm (M1, 16) flat[%0]:a32 %1:d32" :: "rw"(base), "rw"(v));
  }
};
