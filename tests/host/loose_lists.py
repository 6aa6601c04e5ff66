# Lists of lines that no statement is known to take.
LINES = [
    "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>",
    "add (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d",
]
NAMED = {
    "copy": "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>",
    "sum": "add (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d",
    "words": "not a line of a program",
}
PAIRS = [("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>", 1), ("add (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d", 2)]
MIXED = ["mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>", 3, "mul (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x3:d"]


def emit(out, n):
    """mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> copies a register."""
    out.emit("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>")
    out.emit("add (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0> 0x1:d")
    out.emit(f"mul (M1, {n}) V33(0,0)<1> V34(0,0)<1;1,0> 0x3:d")
    out.other("mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>", n)
    return "mov (M1, 16) V33(0,0)<1> V34(0,0)<1;1,0>" if n else "barrier\n"
