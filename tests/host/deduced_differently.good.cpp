#include <sycl/sycl.hpp>

// Two calls that disagree, a method of another class, and a declaration.
template <typename T> void flip(T v);

template <typename T> void flip(T v) {
  T r;
  asm("not (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(v));
}

template <typename T> void negate(T v) {
  T r;
  asm("not (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(r) : "rw"(v));
}

void all(sycl::queue q, Other other, float x, int n) {
  flip(x);
  flip(n);
  other.negate(x);
}
