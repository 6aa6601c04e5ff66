import io
import triton.language as tl


def text():
    out = io.StringIO()
    out.write("{\n")
    out.write(".decl flag v_type=P num_elts=16\n")
    out.write("cmp.gt (M1, 16) flag $1(0,0)<1;1,0> 0x0:d\n")
    out.write("(flag) mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n")
    out.write("}\n")
    return out.getvalue()


def f(x):
    return tl.inline_asm_elementwise(text(), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
