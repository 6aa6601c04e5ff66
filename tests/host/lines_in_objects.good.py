from dataclasses import dataclass, field
import triton.language as tl

@dataclass(frozen=True)
class AsmOp:
    name: str
    text: str
    constraints: str = "=rw,rw"

OPS = [
    AsmOp("neg", "mov (M1, 16) $0(0,0)<1> (-)$1(0,0)<1;1,0>"),
    AsmOp("abs", "mov (M1, 16) $0(0,0)<1> (abs)$1(0,0)<1;1,0>"),
    AsmOp(name="not", text="not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"),
]

def run(i, x):
    op = OPS[i]
    return tl.inline_asm_elementwise(op.text, op.constraints, [x], dtype=tl.int32, is_pure=True, pack=1)
