const char *copied() { return "(P) mov (M1_NM, 1) PL(0,0)<1> X(0,0)<0;1,0>\n"; }
