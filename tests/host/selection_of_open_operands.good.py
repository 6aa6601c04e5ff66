from textwrap import dedent

import triton.language as tl

SELECT = dedent("""
    {
        .decl PS v_type=P num_elts=16
        cmp.gt (M1, 16) PS $1(0,0)<1;1,0> $2(0,0)<1;1,0>
        (PS) sel (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>
    }
""")


def select(a, b):
    return tl.inline_asm_elementwise(SELECT, "=rw,rw,rw", [a, b], dtype=tl.float32, is_pure=True, pack=1)
