void f(int &x) {
  asm("{\n"
      ".decl u v_type=G type=ud num_elts=16 alias=<%0,0>\n"
      "add (M1, 16) u(0,0)<1> u(0,0)<1;1,0> 0x1:ud\n"
      "}\n" : "+rw"(x));
}
