std::string kernel(const std::string &type) {
  std::string s("__attribute__((intel_reqd_sub_group_size(16)))\n");
  s += "kernel void k(global " + type + " *p) {\n";
  s += "  float v = p[get_global_id(0)];\n  __asm__(\n";
  s.append("    \"inv (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>\\n\"\n");
  s += "    : \"+rw\"(v));\n";
  s += "  p[get_global_id(0)] = v;\n}\n";
  return s;
}
