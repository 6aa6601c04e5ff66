import triton.language as tl

guard = lambda n: f".decl PQ v_type=P num_elts={n}"
CHECK = f"""{{
{guard(8)}
cmp.ne (M1, 16) PQ $1(0,0)<1;1,0> 0x0:d
(PQ) sel (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d
}}"""
z = lambda x: tl.inline_asm_elementwise(CHECK, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
