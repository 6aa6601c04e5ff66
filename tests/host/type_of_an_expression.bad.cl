__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global ushort2 *p, global uint *o) {
  __typeof__(*p) v = p[get_global_id(0)];
  uint r;
  __asm__("{\n.decl V v_type=G type=ud num_elts=32 alias=<%1, 0>\n"
          "mov (M1, 16) %0(0,0)<1> V(0,0)<1;1,0>\n}" : "=rw"(r) : "rw"(v));
  o[get_global_id(0)] = r;
}
