#include <ostream>
// `skip_y` may stand in a part that another file writes; `begin` and `outer_end` stand in other parts of this one.
void open(std::ostream &os) {
  os << "skip_x:\n";
  os << "cmp.lt (M1, 16) p a(0,0)<1;1,0> 0x1:d\n";
  os << "(p) goto (M1, 16) skip_y\n";
}
void pass(std::ostream &os) {
  os << "round1:\n";
  os << "cmp.lt (M1, 16) p a(0,0)<1;1,0> 0x1:d\n";
  os << "(p) goto (M1, 16) round2\n";
}
void close(std::ostream &os) {
  os << "begun:\n";
  os << "cmp.lt (M1, 16) p a(0,0)<1;1,0> 0x1:d\n";
  os << "(p) goto (M1, 16) begin\n";
}
const char *first() {
  return "begin:\n";
}
