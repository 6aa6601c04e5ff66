__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
    int v = p[get_global_id(0)], r;
    __asm__("mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>\n"
            "mov (M1, 8) %0(1,0)<1> %1(1,0)<1;1,0>" : "=rw"(r) : "rw"(v));
    p[get_global_id(0)] = r;
}
