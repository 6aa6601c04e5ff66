__attribute__((intel_reqd_sub_group_size(16)))
kernel void life(global int *p)
{
    int x = p[get_global_id(0)];
    __asm__("{\n"
            ".decl tmp v_type=G type=d num_elts=16 align=GRF\n"
            "lifetime.start tmp\n"
            "mov (M1, 16) tmp(0,0)<1> %[x](0,0)<1;1,0>\n"
            "mov (M1, 16) %[x](0,0)<1> tmp(0,0)<1;1,0>\n"
            "lifetime.end tmp\n"
            "}\n" : [x] "+rw"(x));
    p[get_global_id(0)] = x;
}
