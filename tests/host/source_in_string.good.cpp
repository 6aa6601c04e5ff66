#include <CL/cl.h>
static const char *const add_one = R"CLC(
__attribute__((intel_reqd_sub_group_size(16)))
kernel void add_one(global int *p) {
  int x = p[get_global_id(0)];
  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n" : "+rw"(x));
  p[get_global_id(0)] = x;
}
)CLC";
