#include <sstream>

std::string initialized_asm(const char *name) {
    std::ostringstream text;
    text << "mov (M1, 16) $0(0,0)<1> 0x0:d // " << name << "\n"
         << "not (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0>\n";
    return text.str();
}
