// A name may be declared again in braces within those of another statement of the same function.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
    int v = p[0];
    __asm__(".decl t v_type=G type=d num_elts=16 align=GRF\n"
            "mov (M1, 16) t(0,0)<1> %0(0,0)<1;1,0>\n"
            "mov (M1, 16) %0(0,0)<1> t(0,0)<1;1,0>" : "+rw"(v));
    __asm__("{\n"
            ".decl t v_type=G type=f num_elts=16 align=GRF\n"
            "mov (M1, 16) t(0,0)<1> %0(0,0)<1;1,0>\n"
            "mov (M1, 16) %0(0,0)<1> t(0,0)<1;1,0>\n"
            "}" : "+rw"(v));
    p[0] = v;
}
