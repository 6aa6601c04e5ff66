import triton.language as tl


def any_of(x, n):
    text = f"""{{
.decl PX v_type=P num_elts={n}
cmp.lt (M1, 16) PX $1(0,0)<1;1,0> 0x0:d
(PX.any) mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>
}}"""
    return tl.inline_asm_elementwise(text, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
