def load(dst, base, imm):
    yield f"lsc_load.ugm.ca.ca (M1, 16) {dst}:d32y2 flat[{base}+{imm:#x}]:a64"
