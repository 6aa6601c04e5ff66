import io
import triton.language as tl


def declare(out):
    out.append(".decl tmp v_type=G type=d num_elts=16 align=GRF")


def write_declaration(out):
    out.write(".decl tmp v_type=G type=d num_elts=16 align=GRF\n")


class Emitter:
    def declare(self):
        self.lines.append(".decl tmp v_type=G type=d num_elts=16 align=GRF")

    def text(self):
        self.lines = ["{"]
        self.declare()
        self.lines.append("mov (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0>")
        self.lines.append("mov (M1, 16) $0(0,0)<1> tmp(0,0)<1;1,0>")
        self.lines.append("}")
        return "\n".join(self.lines)


def build():
    out = ["{"]
    declare(out)
    out.append("mov (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0>")
    out.append("mov (M1, 17) $0(0,0)<1> tmp(0,0)<1;1,0>")
    out.append("}")
    return "\n".join(out)


def stream():
    out = io.StringIO()
    out.write("{\n")
    write_declaration(out)
    out.write("mov (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0>\n")
    out.write("mov (M1, 16) $0(0,0)<1> tmp(0,0)<1;1,0>\n")
    out.write("}\n")
    return out.getvalue()


def kernel(x):
    y = tl.inline_asm_elementwise(build(), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
    y = tl.inline_asm_elementwise(stream(), "=rw,rw", [y], dtype=tl.int32, is_pure=True, pack=1)
    return tl.inline_asm_elementwise(Emitter().text(), "=rw,rw", [y], dtype=tl.int32, is_pure=True, pack=1)
