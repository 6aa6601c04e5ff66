import triton.language as tl


def product(x, n):
    return tl.inline_asm_elementwise(f"""{{
        .decl t v_type=G type=f num_elts={n} align=GRF
        .decl whole v_type=G type=d num_elts={n} alias=<t,0>
        .decl flags v_type=P num_elts={n}
        mov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>
        mul (M1, 16) t(3,0)<1> t(0,0)<1;1,0> t(0,0)<1;1,0>
        xor (M1, 16) whole(0,0)<1> whole(0,0)<1;1,0> whole(0,0)<1;1,0>
        cmp.lt (M1, 16) flags t(0,0)<1;1,0> 0x0:f
        (flags) mov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>
        (!flags) mov (M1, 16) $0(0,0)<1> whole(0,0)<1;1,0>
    }}""", "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
