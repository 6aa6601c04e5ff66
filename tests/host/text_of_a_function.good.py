import triton
import triton.language as tl


def build_asm(op):
    return op + " (M1, 16) $0(0,0)<1> $1(0,0)<8;8,1> $2(0,0)<1;1,0>\n"


ADD = build_asm("add")


@triton.jit
def k(a, b):
    return tl.inline_asm_elementwise(ADD, "=rw,rw,rw", [a, b], dtype=tl.int32, is_pure=True, pack=1)
