import triton
import triton.language as tl
import textwrap

def body(name):
    """The text of one operation."""
    head = "{\n.decl t v_type=G type=d num_elts=16 align=GRF\n"
    return head + "mov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\n" + name + "mov (M1, 16) $0(0,0)<1> s(0,0)<1;1,0>\n}\n"

@triton.jit
def kern(p):
    x = tl.load(p)
    tl.store(p, tl.inline_asm_elementwise(body(""), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1))
