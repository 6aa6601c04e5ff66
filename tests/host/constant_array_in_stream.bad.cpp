#include <sstream>
const char kExec[] = "(M1, 12) ";
void f(std::ostream &os) {
  os << "mov " << kExec << "dst(0,0)<1> src(0,0)<1;1,0>\n";
}
