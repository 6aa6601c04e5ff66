// What a number is xored with has to have a value.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void flip(global int *p) {
  int y;
  asm("xor (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" : "=rw"(y));
  p[get_global_id(0)] = y;
}
