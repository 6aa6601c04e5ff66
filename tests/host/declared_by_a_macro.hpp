// A macro that declares, twice on its line.
#define SQUARE(d, s)                                                               \
  asm volatile("" ".decl sq v_type=G type=f num_elts=16 align=GRF\n"  \
               : "=rw"(d) : "rw"(s))

// A modifier between a name and a number that the host computes.
  asm("{\n.decl A v_type=G type=ud num_elts=64 alias=<%1,0>\n"
      "dpas.hf.fp.8.%3 (M1, 16) %0.0 %0.0 B.0 A(0,0)\n}" : "+rw"(c) : "rw"(a), "rw"(b), "P"(R));
