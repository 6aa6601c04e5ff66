import triton.language as tl

def region(rows=0, cols=0, dst=False):
    return f"({rows},{cols})<1>" if dst else f"({rows},{cols})<1;1,0>"

def instr(op, *args, exec_size=16):
    return f"{op} (M1, {exec_size}) " + " ".join(args)

ADD3 = instr("add3", "$0" + region(dst=True), "$1" + region(), "$2" + region(), "$3" + region())

def add3(a, b, c):
    return tl.inline_asm_elementwise(ADD3, "=rw,rw,rw,rw", [a, b, c], dtype=tl.int32, is_pure=True, pack=1)
