// A long text that looks like the dump of an unrolled kernel and has no faults.

/** Makes a kernel of at least so many lines. */
function longDump(n_lines) {
    const n_variables = 400;
    const lines = [".version 4.1", '.kernel "long"'];
    for (let i = 0; i < n_variables; i += 1) {
        lines.push(`.decl V${32 + i} v_type=G type=ud num_elts=16 align=GRF`);
    }
    lines.push(
        ".input V32 offset=32 size=64",
        '.kernel_attr Target="cm"',
        ".kernel_attr SimdSize=16",
        '.function "long_main"',
        "long_main:",
    );
    const name = i => `V${32 + (i % n_variables)}(0,0)`;
    const operations = ["add", "xor", "mul", "and", "or"];
    for (let i = 0; lines.length < n_lines; i += 1) {
        // Each one reads what the one before it has written.
        const operation = operations[i % operations.length];
        lines.push(`    ${operation} (M1, 16) ${name(i + 1)}<1> ${name(i)}<1;1,0> 0x${(i % 0xffff).toString(16)}:ud`);
    }
    lines.push("    ret (M1, 1)", "");
    return lines.join("\n");
}

module.exports = { longDump };
