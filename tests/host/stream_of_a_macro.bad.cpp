#define EMIT(os, ...) (os) << __VA_ARGS__ << "\n"
void cleared(std::ostream &os, int r) {
  EMIT(os, "mov (M1, 16) V" << r << "(0,0)<1> 0x0:dd");
  EMIT(os, "lsc_fence." << unit(r) << ".none." << scope(r));
}
