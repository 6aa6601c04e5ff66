"""A kernel generator that asks visa-lint before it compiles: vectors of several widths, of which only some are legal."""

import visa_lint

KERNEL = """.version 4.1
.kernel "scale_{lanes}"
.kernel_attr Target="cm"
.decl V32 v_type=G type=f num_elts={lanes} align=GRF
.decl V33 v_type=G type=q num_elts=1 align=qword
.input V33 offset=32 size=8
.function "scale_{lanes}"
scale:
    lsc_load.ugm (M1_NM, 1) V32:d32x{lanes}t flat[V33]:a64
    mul (M1_NM, {lanes}) V32(0,0)<1> V32(0,0)<1;1,0> 0x40000000:f
    lsc_store.ugm (M1_NM, 1) flat[V33]:a64 V32:d32x{lanes}t
    ret (M1, 1)
"""


def legal(lanes: int, platform: str) -> bool:
    findings = visa_lint.check(KERNEL.format(lanes=lanes), platforms=[platform])
    for finding in findings:
        print(f"{lanes} lanes: {finding.message}")
    return not findings


if __name__ == "__main__":
    print("to compile:", [lanes for lanes in (4, 8, 12, 16, 32, 64) if legal(lanes, "dg2")])
