import triton.language as tl
def f(x):
    return tl.inline_asm_elementwise("""{
    .decl bits v_type=G type=uw num_elts=64 alias=<$0, 0>
    mov (M1, 16) bits(0,0)<1> $1(0,0)<1;1,0>
    }""", "=rw,rw", [x], dtype=tl.bfloat16, is_pure=True, pack=1)
