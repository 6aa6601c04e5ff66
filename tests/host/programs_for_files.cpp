// Programs that are printed to files, with comments, labels and parts that only the program knows.
#include <cstdio>
#include <fstream>
void to_file(FILE *file, int n) {
    fprintf(file, "// the head\n");
    fprintf(file, "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>\n");
    fprintf(file, "again:\n");
    fprintf(file, "  // of %d turns\n", n);
    fprintf(file, "add (M1, %d) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d\n", n);
    fprintf(file, "(P1) jmp (M1, 1) again\n");
    fprintf(file, "barrier\n");
}
void to_stream(std::ofstream &out, int n) {
    out << "// the head\n";
    out << "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>\n";
    if (n > 1) out << "again:\n";
    out << "mul (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x" << std::hex << n << ":d\n";
    out << "{\n" << "}\n";
}
