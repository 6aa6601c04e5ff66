OPERATIONS = {"sum": "add", "most": "max"}
def combine(kind, a, b):
    op = OPERATIONS[kind]
    return tl.inline_asm_elementwise(f"{op} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", "=rw,rw,rw", [a, b], dtype=tl.int32, is_pure=True, pack=1)
