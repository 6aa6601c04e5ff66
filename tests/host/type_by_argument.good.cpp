#define DECLARE_REORDER(NAME, TS, TD)                                          \
  static inline void NAME(float const &s, short &d) {                          \
    asm("{\n"                                                                  \
        ".decl IN v_type=G type=" #TS " num_elts=16 alias=<%1,0>\n"            \
        ".decl OUT v_type=G type=" #TD " num_elts=16 alias=<%0,0>\n"           \
        "mov (M1, 16) OUT(0,0)<1> IN(0,0)<1;1,0>\n"                            \
        "}\n" : "=rw"(d) : "rw"(s));                                           \
  }
DECLARE_REORDER(f_to_w, F, W)
DECLARE_REORDER(f_to_hf, F, HF)
