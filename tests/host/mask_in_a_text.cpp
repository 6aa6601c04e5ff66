// A mask that is misspelt.
  s += "kernel void k(global " + type + " *p) {\n";
  s += "  float v = p[get_global_id(0)];\n  __asm__(\n";
  s.append("    \"inv (v, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\"\n");
  s += "    : \"+rw\"(v));\n";
