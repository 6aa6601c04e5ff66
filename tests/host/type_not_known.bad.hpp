#include "types.h"
template <class T> inline void zero(T &v) {
  asm("{\n.decl z v_type=G type=" TYPE_OF_T " num_elts=16 align=GRFx\nmov (M1, 16) z(0,0)<1> 0x0:ud\n}" : "+rw"(v));
}
