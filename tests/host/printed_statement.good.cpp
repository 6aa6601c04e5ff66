#include <cstdio>
int main() {
  std::puts("asm volatile(\"mov (M1, 99) %0 %1\" : \"=rw\"(x) : \"rw\"(y));");
  asm volatile("barrier\n" ::: "memory");
}
