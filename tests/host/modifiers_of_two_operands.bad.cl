// A statement that the compiler drops is one fault, whatever else is written so.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  int v = p[0], w = p[1];
  __asm__("mov (M1, 16) %w0(0,0)<1> %a1(0,0)<1;1,0>" : "+rw"(v) : "rw"(w));
  p[0] = v;
}
