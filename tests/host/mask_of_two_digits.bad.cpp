#include <sycl/ext/intel/esimd.hpp>
[[intel::sycl_explicit_simd]] void body(int x) {
  __asm__("mov (M11, 16) %0 %1" : "=r"(x) : "r"(x));
}
