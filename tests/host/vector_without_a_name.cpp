// A declaration without a name.
extern "C" _GENX_MAIN_ void k() {
  vector<int, 16> ,, b;
  asm("add (M1, 16) %0 %1 %1" : "=r"(b) : "r"(a));
