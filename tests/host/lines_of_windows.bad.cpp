// Line ends of Windows in literals, raw strings, and statements over several lines.
__attribute__((intel_reqd_sub_group_size(16))) void k(int *p) {
    int v = p[0];
    asm(R"(add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d
mul (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x3:d
movs (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>)" : "+rw"(v));
    asm("add (M1, 16) %0(0,0)<1> \
%0(0,0)<1;1,0> 0x1:d\n"
        "mul (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x3"
        : "+rw"(v)); // at the end
    p[0] = v;
}
