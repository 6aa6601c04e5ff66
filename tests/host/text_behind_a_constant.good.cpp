#include <ostream>

static const char MOVE[] = "mov (M1, 16) V33(0,0)<1> ";

void clear(std::ostream &out, int n) {
    out << MOVE << "0x0:" << "d" << "\n";
}
