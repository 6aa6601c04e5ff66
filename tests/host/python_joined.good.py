def g(a):
    code = "\n".join([
        "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d",
        "mul (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x2:w",
    ])
    return tl.inline_asm_elementwise(code, "=rw,rw", [a], tl.int32, True, 1)
