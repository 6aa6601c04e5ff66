#define OPEN "(M1, "
#define SIZE "8"
#define EXEC OPEN SIZE ") "
void line(std::ostream &os) { os << "mov " EXEC "a(0,0)<1> 0x0:d\n"; }
