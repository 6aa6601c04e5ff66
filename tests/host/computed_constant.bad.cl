__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  enum { UNUSED };
  const int half_size = 4;
  int v;
  __asm__("{\n.decl T v_type=G type=d num_elts=%1 align=GRF\n"
          "mov (M1, 16) T(0,0)<1> 0x0:d\nmov (M1, 16) %0(0,0)<1> T(0,0)<1;1,0>\n}"
          : "=rw"(v) : "P"((half_size << 1) * 1 + (int)sizeof(int) - 4));
  p[get_global_id(0)] = v;
}
