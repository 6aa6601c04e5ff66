#include <cm/cm.h>
_GENX_MAIN_ void scale(svmptr_t p) {
  vector<int, 8> a, b(0);
  const int n = 6;
  cm_svm_block_read(p, a);
  asm("mov (M1, %2) %0 %1\n"
      "add (M1, 8) %0 %3 %1" : "+r"(b) : "r"(a), "n"(n));
  cm_svm_block_write(p, b);
}
