void gen(FILE *f) {
  fprintf(f, "forward:\n");
  fprintf(f, "add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x1:d\n");
  fprintf(f, "jmp (M1, 1) forward\n");
}
