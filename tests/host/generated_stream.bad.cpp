#include <sstream>
std::string kernel(int unroll) {
  std::ostringstream os;
  os << "__attribute__((intel_reqd_sub_group_size(16)))\n"
     << "kernel void k(global float *p) { float v = p[0];\n";
  for (int i = 0; i < unroll; ++i)
    os << "__asm__(\"sqt (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>\" : \"+rw\"(v));\n";
  os << "}\n";
  return os.str();
}
