#include <string>
std::string fence() { return "lsc_fence.ugm.none.system"; }
