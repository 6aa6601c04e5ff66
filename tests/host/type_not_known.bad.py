import triton.language as tl


def copy(x, ty, kind):
    return tl.inline_asm_elementwise(f"""{{
        .decl t v_type=G type={ty} num_elts=16 align=GRF
        .decl bits v_type=G type=d num_elts=32 alias=<t,0>
        .decl other v_type={kind} num_elts=16
        mov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>
        mov (M1, 16) $0(0,0)<1> t(0,0)<1>
        add (M1, 16) bits(2,0)<1> bits(0,0)<1;1,0> 0x1:d
    }}""", "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
