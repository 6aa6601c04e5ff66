#define half_t ushort
typedef half_t h8 __attribute__((ext_vector_type(8)));
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global h8 *q) {
  h8 v = q[0];
  __asm__("{\n.decl X v_type=G type=uw num_elts=128 alias=<%0,0>\nmov (M1, 8) X(0,0)<1> 0x0:uw\n}" : "+rw"(v));
}
