#include <sstream>
void copy(std::ostringstream &out, int simd, bool first, const std::string &to, const std::string &from) {
  if (first) out << "      \"fence_sw\\n\"\n";
  else
    out << "      \"barrier\\n\"\n";
  for (int row = 0; row < 4; ++row) {
    out << "      \"mov (M1_NM, " << simd << ") " << to << '(' << row << ",0)<1> " << from << '(' << row
        << ",0)<1;1,0>\\n\"\n";
  }
}
