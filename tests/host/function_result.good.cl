__attribute__((intel_reqd_sub_group_size(16)))

float weight(float x);
kernel void k(global float *p) {
  int r;
  asm("shl (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d" : "=rw"(r) : "rw"(convert_int(weight(p[0]))));
  p[get_global_id(0)] = r;
}
