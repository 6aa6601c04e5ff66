// Two halves are the whole sub-group: that an output has one of them is meant.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void halves(global int *p) {
  int x = p[get_global_id(0)], y;
  asm("{\n.decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 8) t(0,0)<1> %1(0,0)<1;1,0>\n"
      "mov (M3, 8) t(1,0)<1> %1(1,0)<1;1,0>\nmov (M1, 8) %0(0,0)<1> t(0,0)<1;1,0>\n}" : "=rw"(y) : "rw"(x));
  p[get_global_id(0)] = y;
}
