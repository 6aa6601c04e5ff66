# A name is declared again in the same function.
import triton.language as tl


def f(x):
    a = tl.inline_asm_elementwise(".decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    return tl.inline_asm_elementwise(".decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw", [a], tl.int32, True, 1)
