#include <ostream>
template <class... Pieces> void write(std::ostream &os, const Pieces &...pieces) { (os << ... << pieces); }
void copy(std::ostream &os, int to, int from) {
  write(os, "mov (M1, 16) V", to, "(0,0)<1> V", from, "(0,0)<1;1,0>\n");
  write(os, "add (M1, 16) V", to, "(0,0)<1> V", from, "(0,0)<1;1,0> 0x1:dd\n");
  warn(os, "add (M1, 16) V", to, "(0,0)<1> V", from, "(0,0)<1;1,0> 0x1:dd\n");
}
