#include <array>
[[sycl::reqd_sub_group_size(16)]] void load(const int *from) {
  std::array<int2, 2> tiles;
  for (auto &tile : tiles) {
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(tile) : "rw"(from));
  }
}
