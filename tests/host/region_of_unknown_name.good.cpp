#include <format>
#include <string>
std::string row(int r) {
  return std::format("add (M1, 16) acc({0},0)<1> acc({0},0)<1;1,0> tile({0},0)<1;1,0>\n", r);
}
