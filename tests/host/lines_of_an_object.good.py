import triton.language as tl


class Emitter:
    def text(self):
        self.lines = ["mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"]
        self.lines.append("not (M1_NM, 16) $0(0,0)<1> $0(0,0)<1;1,0>")
        return "\n".join(self.lines)

def kernel(x):
    return tl.inline_asm_elementwise(Emitter().text(), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
