// A macro that makes functions.
#define DEF(op) inline void red_##op(int *p, int v) { asm volatile("lsc_atomic_" #op ".ugm.uc.wb (M1, 16) %%null:d32 flat[%0]:a64 %1 %%null" :: "rw"(p), "rw"(v)); }

// A macro whose types are arguments.
#define CUTE_DECLARE_XE_DPAS_TT(TD, TA, TB, TC, DV, AV, BV, CV) \
    asm (                                                       \
      "{\n"                                                     \
      ".decl DST v_type=G type=" #TD " num_elts=%4 alias=<%0,0>\n" \
      ".decl SRC2_UD v_type=G type=UD num_elts=%5 alias=<%2,0>\n"  \
      ".decl SRC1_UD v_type=G type=UD num_elts=128 alias=<%1,0>\n" \
      ".decl SRC0 v_type=G type=" #TC " num_elts=%3 alias=<%3,0>\n" \
      "dpas." #TB "." #TA ".8.%6 (M1, 16) DST.0 SRC0.0 SRC1_UD.0 SRC2_UD(0,0)\n" \
      "}\n"                                                     \
      : "=rw"(d)                                                \
      : "rw"(b), "rw"(a), "rw"(c), "P"(16 * M), "P"(8 * M), "P"(M) \
    );                                                          \
CUTE_DECLARE_XE_DPAS_TT(f, hf, hf, f, float, short, int, float)
CUTE_DECLARE_XE_DPAS_TT(hf, hf, hf, hf, half, short, int, half)

// A declaration that is not ended before a template.
constexpr int N = 4int
template <int M, int N> inline void part(int &v) {
  asm volatile("{\n.decl T v_type=G type=d num_elts=%1 align=GRF\n"
               "mov (M1, 16) T(0,0)<1> 0x0:d\nmov (M1, 17) %0(0,0)<1> T(0,0)<1;1,0>\n}" : "=rw"(v) : "P"(N));
