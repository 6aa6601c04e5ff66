// Whatever a variable holds, nothing is left of it without itself.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void flip(global int *p) {
  int y;
  asm("{\nxor (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %0(0,0)<1;1,0>\nxor (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n}" : "=rw"(y));
  p[get_global_id(0)] = y;
}
