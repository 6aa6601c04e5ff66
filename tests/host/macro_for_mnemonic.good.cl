#define ROUND "rndd"
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global float *p) {
  float v = p[get_global_id(0)];
  __asm__(ROUND " (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(v));
  p[get_global_id(0)] = v;
}
