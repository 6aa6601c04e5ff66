#include <string_view>
constexpr std::string_view kBody = "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x9:w";
void g(short &a) {
  asm((kBody) : "+rw"(a));
}
