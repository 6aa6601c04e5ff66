# Names that get another value between their first one and their use, in every way that Python knows.
import triton.language as tl

MOV = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"


def texts(x, n, other):
    text = MOV
    first, text = other
    a = tl.inline_asm_elementwise(text, "=rw,rw", [x], tl.int32, True, 1)
    kept = MOV
    first, second = other
    a = tl.inline_asm_elementwise(kept, "=rw,rw", [x], tl.int32, True, 1)
    kind = tl.float32
    for kind in other:
        pass
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], kind, True, 1)
    kind = tl.float32
    with other as kind:
        pass
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], kind, True, 1)
    kind = tl.float32
    first, kind = other
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], kind, True, 1)
    kind = tl.float32
    kind, first = other
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], kind, True, 1)
    kind = tl.float32
    first = other[kind, n]
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], kind, True, 1)
    kind: tl.dtype = tl.float16
    if (kind := other):
        pass
    a = tl.inline_asm_elementwise(MOV, "=rw,rw", [x], kind, True, 1)
    for i in range(4):
        a = tl.inline_asm_elementwise(f"mov (M1, 16) $0({i + 1},0)<1> $1({i // 2},{i % 2})<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
        a = tl.inline_asm_elementwise(f"mov (M1, {i < 2}) $0(0,0)<1> $1({n},0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
        a = tl.inline_asm_elementwise(f"mov (M1, {8 << i}) $0(0,0)<1> $1({other[i]},0)<1;1,0>", "=rw,rw", [x], tl.int32, True, 1)
    return a


def lists(x, n, lines, cls):
    own = ["// a", MOV]
    a = tl.inline_asm_elementwise("\n".join(line.strip() for line in own), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(line.upper() for line in own), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(line.strip().upper() for line in own), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(line.strip() + "\n" for line in own), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(lines.strip() for line in own), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join((MOV,)), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join((own)), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(list(own)), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(cls.list(own)), "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join([]) + MOV, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join(()) + MOV, "=rw,rw", [x], tl.int32, True, 1)
    a = tl.inline_asm_elementwise("\n".join([line for line in own if n]), "=rw,rw", [x], tl.int32, True, 1)
    use(own)
    a = tl.inline_asm_elementwise("\n".join(own), "=rw,rw", [x], tl.int32, True, 1)
    more = [MOV]
    use(more + [n])
    use(more[0], n)
    a = tl.inline_asm_elementwise("\n".join(more), "=rw,rw", [x], tl.int32, True, 1)
    last = [MOV]
    use(n, key=last)
    a = tl.inline_asm_elementwise("\n".join(last), "=rw,rw", [x], tl.int32, True, 1)
    return a
