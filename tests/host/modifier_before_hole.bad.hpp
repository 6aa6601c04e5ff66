template <int Rows> inline void multiply(float8 &sum, short8 a, int8 b) {
  asm("{\n"
      ".decl A v_type=G type=ud num_elts=64 alias=<%1,0>\n"
      "dpas.hf.fp.8.%3 (M1, 16) %0.0 %0.0 %2.0 A(0,0)\n"
      "}" : "+rw"(sum) : "rw"(a), "rw"(b), "P"(Rows));
}
