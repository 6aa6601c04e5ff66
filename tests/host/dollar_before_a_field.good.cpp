#include <format>
#include <string>
std::string chain(int n) {
  std::string out;
  auto it = std::back_inserter(out);
  std::format_to(it, ".decl t v_type=G type=f num_elts=16 align=GRF\n");
  for (int i = 0; i < n; ++i)
    std::format_to(it, "mad (M1, 16) t(0,0)<1> t(0,0)<1;1,0> ${}(0,0)<1;1,0> t(0,0)<1;1,0>\n", i + 1);
  return out;
}
