typedef int int4_ __attribute__((vector_size(16)));
struct Frag { int4_ regs; int tag; };
__attribute__((intel_reqd_sub_group_size(16)))
inline int last(const Frag &f) {
  int r;
  asm("mov (M1, 16) %0(0,0)<1> %1(8,0)<1;1,0>" : "=rw"(r) : "rw"(f.regs));
  return r;
}
