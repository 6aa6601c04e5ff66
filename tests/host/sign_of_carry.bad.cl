__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global uint *p) {
    uint v = p[get_global_id(0)], r;
    __asm__("{\n"
            ".decl carry v_type=G type=ud num_elts=8 align=GRF\n"
            ".decl from v_type=G type=ud num_elts=8 alias=<%1,0>\n"
            ".decl to v_type=G type=ud num_elts=8 alias=<%0,0>\n"
            "addc (M1, 8) to(0,0)<1> carry(0,0)<1> from(0,0)<1;1,0> %1(0,0)<1;1,0>\n"
            "}" : "=rw"(r) : "rw"(v));
    p[get_global_id(0)] = r;
}
