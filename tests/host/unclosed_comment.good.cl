__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {
    int v = p[get_global_id(0)], r;
    __asm__("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d /* one */\n" : "=rw"(r) : "rw"(v));
    p[get_global_id(0)] = r;
}
