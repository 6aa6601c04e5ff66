def gen(f, n):
    f.write('__attribute__((intel_reqd_sub_group_size(16)))\n')
    f.write('kernel void k(global float *p) {\n')
    f.write('  float v = p[get_global_id(0)];\n')
    f.write('  int i = %d;\n' % n)
    f.write('  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>" : "+rw"(v) : "rw"(i));\n')
    f.write('}\n')
