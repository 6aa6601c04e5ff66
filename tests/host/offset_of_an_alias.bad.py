BLOCK = (
    "{\n"
    ".decl SUM v_type=G type=%(sum)s num_elts=128 alias=<$0,0>\n"
    ".decl A v_type=G type=ud num_elts=64 alias=<$2,0>\n"
    ".decl B v_type=G type=ud num_elts=128 alias=<$1,0>\n"
    "dpas.%(b)s.%(a)s.8.%(count)d (M1, 16) SUM.0 SUM.0 B.0 A.0\n"
    "}\n"
)
