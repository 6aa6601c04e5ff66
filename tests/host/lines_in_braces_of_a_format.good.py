import triton.language as tl

def tree(n):
    lines = [f".decl s{i} v_type=G type=f num_elts=16 align=hword" for i in range(n)]
    lines += [f"add (M1, 16) s{i}(0,0)<1> ${i + 1}(0,0)<1;1,0> ${i + 1}(0,0)<1;1,0>" for i in range(n)]
    lines.append("mov (M1, 16) $0(0,0)<1> s0(0,0)<1;1,0>")
    nl = "\n"
    return f"{{\n{nl.join(lines)}\n}}"

def call(xs):
    return tl.inline_asm_elementwise(tree(len(xs)), ",".join(["=rw"] + ["rw"] * len(xs)), xs, dtype=tl.float32, is_pure=True, pack=1)
