#define DST "d(0,0)<1> "
#define SRC "s(0,0)<1>\n"
std::string line() { return std::string("mov (M1, 16) " DST SRC); }
