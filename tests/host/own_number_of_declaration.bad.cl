kernel void k(global int *a) {
  int x;
  __asm__ volatile(".decl TT%= v_type=G type=d num_elts=16\n" ::);
  __asm__ volatile("mov (M1, 16) TT%=(0,0)<1> 0x1:d\nmov (M1, 16) %0(0,0)<1> TT%=(0,0)<1;1,0>\n" : "=rw"(x));
  a[0] = x;
}
