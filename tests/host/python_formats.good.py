import triton.language as tl
LANES = "mov (M1, %d) $0(0,0)<1> $1(0,0)<1;1,0>"
def f(a, n: tl.constexpr):
    x = tl.inline_asm_elementwise("mov (M1, {n}) $0(0,0)<1> {src}".format(n=n, src="$1(0,0)<1;1,0>"), "=rw,rw", [a], tl.int32, True, 1)
    return tl.inline_asm_elementwise(LANES % n, "=rw,rw", [x], tl.int32, True, 1)
