__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global uint *p) {
  size_t i = get_global_id(0);
  uint x = p[i], y;
  __asm__("{\n"
          ".decl x_b v_type=G type=ub num_elts=64 alias=<%1, 0>\n"
          "mov (M1_NM, 16) x_b(0,0)<4> 0x0:ub\n"
          "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n"
          "}\n" : "=rw"(y) : "rw"(x));
  p[i] = y;
}
