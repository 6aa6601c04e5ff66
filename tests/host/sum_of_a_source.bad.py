KERNEL = "__attribute__((intel_reqd_sub_group_size(16)))\n" + \
    "kernel void dot(global int *p)\n{\n" + \
    "    float a = p[0], b = p[1]; int c = p[2], d;\n" + \
    "    __asm__(\"dp4a (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0> %3(0,0)<1;1,0>\\n\" : \"=rw\"(d) : \"rw\"(c), \"rw\"(a), \"rw\"(b));\n" + \
    "    p[3] = d;\n}\n"
