"""Uses asm("mov (M1, 6) ...") of vISA."""
import triton.language as tl
# asm = "movv (M1, 6) $0"
asm = "mov (M1, 16) $0(0,0)<1> "
asm += "$1(0,0)<1;1,0>"
def f(a):
    return tl.inline_asm_elementwise(asm, "=rw,rw", [a], tl.int32, True, 1)
def g(a, body):
    return tl.inline_asm_elementwise(body, "=rw,rw", [a], tl.int32, True, 1)
def h(a, n):
    lines = "\n".join(f"add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> {hex(i)}:d" for i in range(n))
    return tl.inline_asm_elementwise("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n" + lines, "=rw,rw", [a], tl.int32, True, 1)
