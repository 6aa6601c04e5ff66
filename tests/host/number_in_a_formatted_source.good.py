LANES = 16

SOURCE = f"""
__attribute__((intel_reqd_sub_group_size(16)))
kernel void zero(global int *p)
{{
    int x;
    __asm__("mov (M1, {LANES}) %0(0,0)<1> 0x0:d\\n" : "=rw"(x));
    p[get_global_id(0)] = x;
}}
"""
