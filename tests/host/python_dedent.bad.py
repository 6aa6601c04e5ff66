import textwrap
import triton.language as tl
CODE = textwrap.dedent("""
    mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>
    add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 7
""")
def f(a):
    return tl.inline_asm_elementwise(CODE, "=rw,rw", [a], tl.int32, True, 1)
