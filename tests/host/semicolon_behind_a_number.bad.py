import triton.language as tl


def chain(n):
    ops = ["mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"]
    ops += [f"add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> {i}:d;" for i in range(n)]
    return "\n".join(ops)


def run(x, n):
    return tl.inline_asm_elementwise(chain(n), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
