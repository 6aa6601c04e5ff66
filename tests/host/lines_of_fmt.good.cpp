#include <fmt/format.h>
std::string block_store(int n) {
  return fmt::format("lsc_store.ugm (M1_NM, 1) flat[%0]:a64 %1:d32x{}t\n"
                     "lsc_fence.ugm.none.gpu\n", n);
}
