import triton.language as tl


def body(operation):
    return operation + " (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $1(0,0)<1;1,0>"


# An argument of that name is no other function.
order = sorted([3, 1, 2], body=lambda x: -x)


@triton.jit
def kernel(x):
    return tl.inline_asm_elementwise(body("add"), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
