template <typename T, int N> void load(T *p) {
    T __attribute__((ext_vector_type(N))) v;
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(v) : "rw"(p));
    *p = v[0];
}

template <typename T> void one(T *p) {
    T v;
    asm volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(v) : "rw"(p));
    *p = v;
}

template <typename T> void all(T *p) { one<T>(p); }

void run(float *p, short *q) {
    load<float, 4>(p);
    load<short, 8>(q);
    all<short>(q);
}
