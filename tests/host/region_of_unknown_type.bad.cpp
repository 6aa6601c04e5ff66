template <class T> const char *type_name();
#define CONVERT(TS) \
  asm("{\n.decl IN v_type=G type=" TS " num_elts=16 alias=<%1,0>\n" \
      "mov (M1, 16) %0(0,0)<1> IN(0,0)<1;1,5>\n}\n" : "=rw"(d) : "rw"(s))
void conv(float &d, float const &s) { CONVERT(XE_TYPE_OF_SOURCE); }
