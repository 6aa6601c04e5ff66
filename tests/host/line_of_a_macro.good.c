#define DST "d(0,0)<1> "
#define LINE "shl (M1, 16) " DST "s(0,0)<1;1,0> 0x2:d\n"
void g(FILE *f) { fputs(LINE, f); fprintf(f, LINE); }
