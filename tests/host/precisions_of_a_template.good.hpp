template <class C, class A, class B> inline void multiply(C &c, A const &a, B const &b) {
  asm volatile("{\n"
               ".decl left v_type=G type=ud num_elts=64 alias=<%1,0>\n"
               ".decl right v_type=G type=ud num_elts=128 alias=<%2,0>\n"
               "dpas.bf.bf.8.8 (M1, 16) %0.0 %0.0 right.0 left(0,0)\n"
               "}\n"
               : "+rw"(c) : "rw"(a), "rw"(b));
}
