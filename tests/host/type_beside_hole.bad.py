def emit(dst, k):
    return f"""{{
    .decl w v_type=G type=hf num_elts=16 align=hword
    mov (M1, 16) w(0,0)<1> $1(0,0)<1;1,0>
    xor (M1, 16) {dst}(0,0)<1> w(0,0)<1;1,0> {k:#x}:uw
    }}"""
