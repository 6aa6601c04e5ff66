// Percent and dollar signs in every position, with and without a colon behind the template.
#define COPY(where) asm("mov (M1, 16) %0(0,0)<1> " where "(0,0)<1;1,0>" : "=rw"(y) : "rw"(x), [name] "rw"(x))
#define PLAIN(text) asm(text)
__attribute__((intel_reqd_sub_group_size(16)))
kernel void f(global int *p) {
  int x = p[0], y;
  COPY("%1");
  COPY("%01");
  COPY("%3");
  COPY("%99");
  COPY("%99999999999");
  COPY("%[name]");
  COPY("%[other]");
  COPY("%[]");
  COPY("%[name");
  COPY("%h1");
  COPY("%hh1");
  COPY("%h[name]");
  COPY("%h[");
  COPY("%h[]");
  COPY("%r0");
  COPY("%a0");
  COPY("%%r0");
  COPY("%null");
  COPY("%%null");
  COPY("%x");
  COPY("%long_name");
  COPY("%");
  COPY("% 1");
  COPY("%.1");
  COPY("%%1");
  COPY("%=");
  COPY("%{1");
  COPY("%|");
  COPY("%}");
  COPY("$1");
  COPY("$");
  COPY("$x");
  COPY("V%=");
  asm("// %h1 and $1 and %x\nmov (M1, 16) %0(0,0)<1> %h1(0,0)<1;1,0> $1 %r0" : "=rw"(y) : "rw"(x));
  asm("mov (M1, 16) %0(0,0)<1> %r1(0,0)<1;1,0>\nmov (M1, 16) %0(0,0)<1> %r1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  asm("mov (M1, 16) %0(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) %0(0,0)<1> $1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  PLAIN("mov (M1, 16) V32(0,0)<1> %null(0,0)<1;1,0>");
  PLAIN("mov (M1, 16) V32(0,0)<1> %%null(0,0)<1;1,0>");
  PLAIN("mov (M1, 16) V32(0,0)<1> %1(0,0)<1;1,0>");
  PLAIN("mov (M1, 16) V32(0,0)<1> %(0,0)<1;1,0>");
  PLAIN("mov (M1, 16) V32(0,0)<1> V%=(0,0)<1;1,0>");
  PLAIN("mov (M1, 16) V32(0,0)<1> $1(0,0)<1;1,0>");
  PLAIN("mov (M1, 16) V32(0,0)<1> $(0,0)<1;1,0> $");
  PLAIN("{\n.decl V%= v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) V%=(0,0)<1> 0x1:d\n}");
  asm("{\n.decl V%= v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) V%=(0,0)<1> 0x1:w 0x2:d\n}" : :);
  p[1] = y;
}
