TEXT = "\n".join([
    "{",
    ".decl c v_type=P num_elts=16",
    "top:",
    "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d",
    "cmp.lt (M1, 16) c $0(0,0)<1;1,0> 0x9:d",
    "(c) goto (M1, 16) top",
    "}",
])

def f(x):
    return tl.inline_asm_elementwise(TEXT, "=rw,rw", [x], tl.int32, True, 1)
