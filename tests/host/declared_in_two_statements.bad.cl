__attribute__((intel_reqd_sub_group_size(16)))

kernel void k(global int *p) {
  int x = p[get_global_id(0)];
  __asm__ volatile(".decl acc v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) acc(0,0)<1> %0(0,0)<1;1,0>" :: "rw"(x));
  __asm__ volatile(".decl acc v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) acc(0,0)<1> %0(0,0)<1;1,0>\nmov (M1, 16) %0(0,0)<1> acc(0,0)<1;1,0>" : "+rw"(x));
  p[get_global_id(0)] = x;
}
