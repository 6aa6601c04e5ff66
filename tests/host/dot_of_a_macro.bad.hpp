#pragma once
#define STR2(x) #x
#define STR(x) STR2(x)
#define WRITE ca.ca
#define STORE(width) "lsc_store.ugm." STR(WRITE) " (M1, 16) flat[%0]:a64 %1:" width "\n"
template <typename V> static inline void store128(void *p, V const &v) {
  asm volatile(STORE("d32x4") ::"rw"(p), "rw"(v));
}
