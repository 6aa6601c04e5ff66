def k(x, y, op="add"):
    ops = {"add": "add", "max": "maximum"}
    return tl.inline_asm_elementwise(f"{ops[op]} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", "=rw,rw,rw", [x, y], dtype=tl.int32, is_pure=True, pack=1)
