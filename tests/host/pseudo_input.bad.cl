kernel void check() {
  __asm__ volatile(".decl AA0 v_type=G type=ud num_elts=1\n"
                   ".decl AA1 v_type=G type=ud num_elts=1\n"
                   ".implicit_PSEUDO_INPUT AA0 offset=256 size=4\n"
                   "mov (M1_NM, 1) AA0(0,0)<1> AA1(0,0)<0;1,0>\n");
}
