#include "absl/strings/str_cat.h"
std::string add(int lane) {
  return absl::StrCat("add (M1, 16) r(0,", lane, ")<1> a(0,0)<1;1,0> b(0,0)<1,1,0>\n");
}
