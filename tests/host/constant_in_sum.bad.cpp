#include <string_view>
namespace cache {
constexpr std::string_view load = ".uc.wb";
}
std::string load(std::string_view dst, std::string_view a) {
  return "lsc_load.ugm" + std::string(cache::load) + " (M1, 16) " + std::string(dst) + ":d32 flat[" + std::string(a) + "]:a64\n";
}
