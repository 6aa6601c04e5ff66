__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uint *a, global uchar *b) {
  uint x = a[get_global_id(0)];
  uchar y = b[get_global_id(0)];
  __asm__("{\n.decl UB v_type=G type=ub num_elts=16 alias=<%1, 0>\nmov (M1, 16) %0(0,0)<1> UB(0,0)<1;1,0>\nshl (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>\n}" : "+rw"(x) : "rw"(y));
  a[get_global_id(0)] = x;
}
