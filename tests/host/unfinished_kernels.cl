// Two statements, of which one declares what the other reads.
  __asm__ volatile(".decl keep v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) keep(0,0)<1> %0(0,0)<1;1,0>" :: "rw"(v));
  __asm__ volatile("add (M1, 16) %0(0,0)<1> keep(0,0)<1;1,0> 0x1:d" : "=rw"(v));

// A prototype behind a list of arguments.
        constraints="=r,r",
float weight(float x);
  asm("shl (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d" : "=rw"(r) : "rw"(weight(p[0])));

// A line of LLVM IR in a function.
#define PLAIN(text) asm(text)
kernel void f(global int *p) {
  %y = call i32 asm sideeffect "mov (M1, 16) %null(0,0)<1> $1(0,0)<1;1,0>\0Amov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw"(i32 %x)
  PLAIN("mov (M1, 16) V32(0,0)<1> $1(0,0)<1;1,0>");

// A name that another use declares.
#define WITH_TMP(id, body) do { __asm__ volatile("{\n.decl tmp_" #id " v_type=G type=d num_elts=16 align=GRF\n" body "\n}" : "+rw"(x)); } while (0)
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *p) {
  int x = p[get_global_id(0)];
  WITH_TMP(b, "mov (M1, 16) tmp_b(0,0)<1> %0(0,0)<1;1,0>\nmov (M1, 16) %0(0,0)<1> tmp_a(0,0)<1;1,0>");
