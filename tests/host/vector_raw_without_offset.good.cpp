#include <cm/cm.h>
_GENX_ void send(vector_ref<unsigned, 16> d, vector<unsigned, 16> h) {
  asm volatile("raw_sends.15.1.0.1 (M1, 16) 0x0:ud 0x2000100:ud %1.0 %%null.0 %0.0\n" : "=rw"(d) : "rw"(h));
}
