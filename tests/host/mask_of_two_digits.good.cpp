#include <sycl/ext/intel/esimd.hpp>
[[intel::sycl_explicit_simd]] void body(int x) {
  __asm__("mov (M1, 16) %0 %1" : "=r"(x) : "r"(x));
}
