#include <sstream>
std::string release() {
  std::ostringstream os;
  os << "__asm__ volatile(\"lsc_fence.ugm.none.system\\n\");\n";
  return os.str();
}
const char *hint() { return "use asm volatile(\"...\"), not lsc_fence.ugm.none.system;"; }
