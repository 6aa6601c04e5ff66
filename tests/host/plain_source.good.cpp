#include <CL/cl.h>
static const char *const add_one =
    "__attribute__((intel_reqd_sub_group_size(16)))\n"
    "kernel void add_one(global int *p) {\n"
    "  int x = p[get_global_id(0)];\n"
    "  __asm__(\"add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\\n\" : \"+rw\"(x));\n"
    "  p[get_global_id(0)] = x;\n"
    "}\n";
