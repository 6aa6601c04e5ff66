extern "C" __attribute__((intel_reqd_sub_group_size(16))) void k(float *p) {
  float v = p[0];
  int w = 0;
  asm("sqrt (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(w));
  p[0] = v + w;
}
