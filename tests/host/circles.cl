// Operands within each other that may differ from lane to lane.
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *p, int s) {
  int y;
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>" : "=rw"(y) : "rw.u"(((((((((((((((((((((get_local_id(0)))))))))))))))))))))));
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>" : "=rw"(y) : "rw.u"((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)((int)(get_local_id(0)))))))))))))))))))))));
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>" : "=rw"(y) : "rw.u"(s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (s + (get_local_id(0)))))))))))))))))))))));
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>" : "=rw"(y) : "rw.u"(max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, max(s, get_local_id(0)))))))))))))))))))))));
  p[0] = y;
}
