#include <cstdio>

void header(FILE *file, int lanes) {
    fprintf(file, ".decl sum v_type=G type=f num_elts=%d align=GRF\n", lanes);
    fprintf(file, "mul (M1, 16) sum(0,0)<1> sum(0,0)<1;1,0> 0x%x\n", lanes);
}
