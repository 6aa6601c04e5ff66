#define EXEC "(M1, 32) "
#define DST "d(0,0)<1> "
void one(std::ostream &os) { os << "mov " << EXEC << DST << "s(0,0)<1;1,0>\n"; }
const char *two() { return "mov " EXEC DST "s(0,0)<1;1,0>\n"; }
