#include <cstdint>
[[sycl::reqd_sub_group_size(16)]] int f(int rows, int offset, int columns) {
  note(rows * columns);
  if (rows && offset) note(offset);
  note(scale * columns);
  int y;
  asm volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(y) : "rw"(offset));
  asm("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>" : "+rw"(y) : "rw"(columns));
  return y;
}
