#include <string>
// A name of a function is its own, whatever it is elsewhere.
std::string one() {
  const std::string size = "(M1, 12) ";
  return size;
}
std::string two(const std::string &size = "(M1, 12) ") {
  return "mov " + size + "dst(0,0)<1> src(0,0)<1;1,0>\n";
}
const char *mask = "(M1, 12) ";
std::string three() {
  return "mov " + std::string(mask) + "dst(0,0)<1> src(0,0)<1;1,0>\n";
}
constexpr float scale = 2.0f;
void four(int *out, int scale) {
  int sum;
  asm("shl (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0>" : "=rw"(sum) : "rw"(scale));
  out[0] = sum;
}
#define ADD(scale) asm("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "+rw"(scale))
#define SHIFT(scale) asm("shl (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "+rw"(scale))
static const std::string region = "(0,0)<1>";
std::string five(const std::string &region) {
  return "mov (M1, 16) dst(0,0)<1> src" + region + "\n";
}
