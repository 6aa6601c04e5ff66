#include <iomanip>
#include <ostream>

void transpose(std::ostream &os, const char *matrix, int n) {
    os << ".decl even v_type=G type=d num_elts=16 align=GRF\n";
    for (int i = 0; i < n; ++i) {
        os << std::dec << "mov (M1, " << 4 * n << ") even(" << i << ",0)<1> " << matrix << "(0,0)<2;1,0>" << std::endl;
        os << "add (M1, 16) even(0,0)<1> even(0,0)<1;1,0> 0x" << std::hex << i << ":d\n";
    }
}
