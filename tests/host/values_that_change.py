# Values of names whose type is known, and which get another one before they are used.
import triton.language as tl

MOV = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"


def names(other, n):
    kept = tl.zeros([16], tl.float16)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [kept], tl.float16, True, 1)
    looped = tl.zeros([16], tl.float16)
    for looped in other:
        pass
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [looped], tl.float16, True, 1)
    opened = tl.zeros([16], tl.float16)
    with other as opened:
        pass
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [opened], tl.float16, True, 1)
    second = tl.zeros([16], tl.float16)
    a, second = other
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [second], tl.float16, True, 1)
    first = tl.zeros([16], tl.float16)
    first, a = other
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [first], tl.float16, True, 1)
    walrus = tl.zeros([16], tl.float16)
    if (walrus := other):
        pass
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [walrus], tl.float16, True, 1)
    read = tl.zeros([16], tl.float16)
    a = other(read, n)
    b, c = other[read, n]
    d = read, n
    e = read; f = n
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [read], tl.float16, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [read[:, None]], tl.float16, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [read.to(tl.float32)], tl.float16, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [(read + 1).to(tl.int16)], tl.float16, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [tl.full([16], 1, dtype=tl.int8)], tl.float16, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [tl.full([16], 1, tl.int8)], tl.float16, True, 1)
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [tl.arange(0, 16)], tl.int32, True, 1)
    return a


def several(other):
    text, kind = MOV, tl.float32
    a = tl.inline_asm_elementwise(text, "=rw,rw", [other], kind, True, 1)
    half = tl.zeros([16], tl.float16)
    half.x = other
    other.half = half
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [half], tl.float16, True, 1)
    return a
