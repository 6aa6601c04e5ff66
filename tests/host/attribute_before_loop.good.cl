__attribute__((intel_reqd_sub_group_size(16)))
kernel void loop(global int *a, int n)
{
    int r = 0;
    __attribute__((opencl_unroll_hint(4)))
    for (int k = 0; k < 4; ++k) {
        int x = a[get_global_id(0) + k];
        __asm__("{\n" ".decl sq v_type=G type=d num_elts=16 align=hword\n"
            "mul (M1, 16) sq(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0>\n"
            "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> sq(0,0)<1;1,0>\n" "}\n" : "+rw"(r) : "rw"(x));
    }
    a[get_global_id(0)] = r;
}
