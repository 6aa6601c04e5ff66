# A number whose end is a field.
    return tl.inline_asm_elementwise(f"add (M0, 16) ${i}(0,0)<1> ${i+1}(0,0)<1;1,0> 0x1def{t}", "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

# A function that returns nothing.
def make(n):
    return 
def run(x):
    asm = "{\n" + make(4) + "\nmov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n}"
    return tl.inline_asm_elementwise(asm, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

# Items that are not closed.
    for t in ("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>",
}
        x = tl.inline_asm_elementwise(t, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)

# A statement of C within a list.
    lines = ["{", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"]
        lines.append(f"add (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> {step}")
    __asm__ volatile(
    lines.append("}")
    return tl.inline_asm_elementwise("\n".join(lines), "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
