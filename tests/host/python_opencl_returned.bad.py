import pyopencl as cl

def source(simd):
    return f"""
__attribute__((intel_reqd_sub_group_size({simd})))
__kernel void k(__global int *a) {{
    int i = get_global_id(0);
    int x = a[i];
    __asm__ volatile("{{\\n"
                     "add (M1, {simd}) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d\\n"
                     "adc (M1, {simd}) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d\\n"
                     "}}\\n" : "=rw"(a[i]) : "rw"(x));
}}
"""
