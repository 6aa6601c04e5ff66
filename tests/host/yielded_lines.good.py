import triton.language as tl


def steps(n):
    yield ".decl sum v_type=G type=d num_elts=16 align=GRF"
    yield "mov (M1, 16) sum(0,0)<1> 0x0:d"
    for _ in range(n):
        yield "add (M1, 16) sum(0,0)<1> sum(0,0)<1;1,0> $1(0,0)<1;1,0>"


def lines():
    """A scope of its own."""
    yield "{"
    yield from steps(4)
    yield "mov (M1, 16) $0(0,0)<1> sum(0,0)<1;1,0>"
    yield "}"

def kernel(x):
    return tl.inline_asm_elementwise("\n".join(lines()), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
