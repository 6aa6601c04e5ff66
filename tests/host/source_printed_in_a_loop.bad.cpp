#include <sstream>
#include <string>
// Emits an OpenCL C shim around a micro-kernel.
std::string make_shim(int simd, int nregs, const char *name) {
  std::ostringstream o;
  o << "#pragma OPENCL EXTENSION cl_intel_subgroups : enable\n";
  o << "inline void " << name << "(global int *p) {\n";
  o << "    __asm__ volatile(\"{\\n\"\n";
  for (int i = 0; i < nregs; i++)
    o << "        \".decl r" << i << " v_type=G type=ud num_elts=16 align=GRF\\n\"\n";
  o << "        \"mov (M1, 16) r0(0,0)<1> 0x0:ud;\\n\"\n";
  o << "        \"}\\n\");\n";
  o << "}\n";
  return o.str();
}
