// Names that begin as those of the compiler's predicates do, and go on otherwise.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
  int x = p[get_global_id(0)], y = 0;
  if (x > 3)
    __asm__ volatile(".decl Pick v_type=P num_elts=16\n"
                     "cmp.lt (M1, 16) Pick %1(0,0)<1;1,0> 0x9:d\n"
                     "(Pick) mov (M1, 16) %0(0,0)<1> 0x1:d" : "+rw"(y) : "rw"(x));
  if (x > 5)
    __asm__ volatile(".decl P v_type=P num_elts=16\n"
                     "cmp.lt (M1, 16) P %1(0,0)<1;1,0> 0x9:d\n"
                     "(P) mov (M1, 16) %0(0,0)<1> 0x1:d" : "+rw"(y) : "rw"(x));
  p[get_global_id(0)] = y;
}
