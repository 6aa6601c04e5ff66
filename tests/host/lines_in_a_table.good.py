import triton
import triton.language as tl
from triton.language import core

_OPS = {
    "sin": "sin (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>",
    "tanh": "cos (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>",
}
_OPS["rsqrt"] = "rsqrt (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"

@core.extern
def unary(name, arg, _semantic=None):
    return core.inline_asm_elementwise(_OPS[name], "=rw,rw", [arg], core.float32, True, 1, _semantic=_semantic)
