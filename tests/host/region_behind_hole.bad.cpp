void gen(Emitter &e, Reg r) {
  e << "add (M1, 16) " << r << "(0,0)<1> " << r << "(0,0) 0x1:d\n";
}
