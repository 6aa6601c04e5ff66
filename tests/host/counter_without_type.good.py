import triton.language as tl


def chain(x, n, step):
    lines = ["{", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"]
    for k in range(n):
        if k == 0:
            continue
        lines.append(f"add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> {step}")
        lines.append(f"add (M1, 16) $0(0,0)<1> $0({k},{k % 8})<1;1,0> {k}:d")
        lines.append(f"add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> {k * 4 + 1}:d")
    lines.append("}")
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
