import triton
import triton.language as tl
import textwrap

TEXT = "add (M1, SIZE) $0(0,0)<1> $1(0,0)<1;1,0> 0x2:d"

@triton.jit
def kern(p):
    x = tl.load(p)
    tl.store(p, tl.inline_asm_elementwise(TEXT.replace("SIZE", "16").strip("\n;"), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1))
