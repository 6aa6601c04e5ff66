__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  int x = p[get_global_id(0)], y = 0;
  if (x > 3)
    __asm__ volatile(".decl P1 v_type=P num_elts=16\n"
                     "cmp.lt (M1, 16) P1 %1(0,0)<1;1,0> 0x9:d\n"
                     "(P1) mov (M1, 16) %0(0,0)<1> 0x1:d" : "+rw"(y) : "rw"(x));
  p[get_global_id(0)] = y;
}
