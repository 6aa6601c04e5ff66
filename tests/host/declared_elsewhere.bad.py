import triton.language as tl


def with_names(x):
    lines = ["{"]
    for name in ["alpha", "beta"]:
        lines.append(".decl " + name + " v_type=G type=f num_elts=16 align=GRF")
    lines.append("mov (M1, 16) alpha(0,0)<1> $1(0,0)<1;1,0>")
    lines.append("mov (M1, 16) beta(0,0)<1> alpha(0,0)<1;1,0>")
    lines.append("mov (M1, 12) $0(0,0)<1> beta(0,0)<1;1,0>")
    lines.append("}")
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)


def with_branches(x, half):
    lines = ["{"]
    if half:
        lines.append(".decl v v_type=G type=hf num_elts=16 align=GRF")
    else:
        lines.append(".decl v v_type=G type=f num_elts=16 align=GRF")
    lines.append("mov (M1, 16) v(0,0)<1> $1(0,0)<1;1,0>")
    lines.append("mov (M1, 16) $0(0,0)<1> v(0,0)<1;1,0>")
    lines.append("}")
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)


def with_prologue(x, prologue=""):
    text = "{\n" + prologue
    for i in range(4):
        text += f"mov (M1, 16) tmp({i},0)<1> $1(0,0)<1;1,0>\n"
    text += "mov (M1, 16) $0(0,0)<1> tmp(0,0)<1;1,0>\n}\n"
    return tl.inline_asm_elementwise(text, "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)


def with_insertion(x, n):
    lines = ["mov (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0>"]
    for i in range(n):
        lines.append("add (M1, 16) tmp(0,0)<1> tmp(0,0)<1;1,0> tmp(0,0)<1;1,0>")
    lines.insert(0, ".decl tmp v_type=G type=f num_elts=16 align=GRF")
    lines.insert(0, "{")
    lines.append("mov (M1, 16) $0(0,0)<1> tmp(0,0)<1;1,0>")
    lines.append("}")
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)


def with_assignment(x):
    lines = ["{", "", "mov (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0>", "mov (M1, 16) $0(0,0)<1> tmp(0,0)<1;1,0>", "}"]
    lines[1] = ".decl tmp v_type=G type=f num_elts=16 align=GRF"
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
