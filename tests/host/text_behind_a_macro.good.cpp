#include <ostream>

#define MOVE "mov (M1, 16) V33(0,0)<1> "

std::string clear() {
    return MOVE "0x0:d\n";
}
