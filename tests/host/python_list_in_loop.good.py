"""Emits the inner loop of a GEMM for tl.inline_asm_elementwise."""
import triton.language as tl


class Emitter:
    def __init__(self):
        self.lines = []

    def emit(self, text):
        self.lines.append(text)


def inner(k_steps):
    body = ["{"]
    body.append(".decl sum v_type=G type=f num_elts=16 align=GRF")
    body += [
        "mov (M1, 16) sum(0,0)<1> 0x0:f",
    ]
    for k in range(k_steps):
        body.append(f"mad (M1, 16) sum(0,0)<1> $1({k},0)<1;1,0> $2({k},0)<1;1,0> sum(0,0)<1;1,0>")
    body.append("mov (M1, 16) $0(0,0)<1> sum(0,0)<1;1,0>")
    body.append("}")
    return "\n".join(body)


def kernel(a, b):
    return tl.inline_asm_elementwise(inner(2), "=rw,rw,rw", [a, b], dtype=tl.float32, is_pure=True, pack=1)
