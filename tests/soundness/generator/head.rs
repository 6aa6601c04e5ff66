//! Declarations of random programs.

use super::{MAX_LANE_COUNTERS, N_VARIABLES, TYPES};
use std::fmt::Write as _;

/// What stands before the lines of a program: declarations of the variables that they name.
pub fn head(lines: &str, n: usize, grf: usize) -> String {
    let mut head = String::with_capacity(8192);
    head.push_str(".version 4.1\n.kernel \"random\"\n");
    for v in 0..N_VARIABLES {
        // Twice as many bytes as the lanes need, for strides and for 64 bits.
        for (i, (kind, bytes)) in TYPES.into_iter().enumerate() {
            if i > 0 && !lines.contains(&format!("R{kind}{v}")) {
                continue;
            }
            let elements = 8 * n / bytes;
            let alias = if i == 0 { String::new() } else { format!(" alias=<Rud{v}, 0>") };
            let _ = writeln!(head, ".decl R{kind}{v} v_type=G type={kind} num_elts={elements} align=GRF{alias}");
        }
    }
    for p in 1..=3 {
        let _ = writeln!(head, ".decl P{p} v_type=P num_elts={n}");
    }
    head.push_str(".decl U v_type=P num_elts=1\n.decl A0 v_type=A num_elts=16\n.decl T6 v_type=T num_elts=1\n");
    head.push_str(".decl N v_type=G type=ud num_elts=8 align=GRF\n.decl E v_type=G type=ud num_elts=8 align=GRF\n");
    for c in 0..MAX_LANE_COUNTERS {
        let _ = writeln!(head, ".decl C{c} v_type=G type=uw num_elts={n} align=GRF");
    }
    let _ = writeln!(head, ".decl DATA v_type=G type=ud num_elts={} align=GRF", 4 * n.max(grf / 4));
    let mut offset = 2 * grf;
    for name in ["Rud1", "Rud2"] {
        let _ = writeln!(head, ".input {name} offset={offset} size={}", 8 * n);
        offset += 8 * n;
    }
    let size = 16 * n.max(grf / 4);
    let _ = writeln!(head, ".input DATA offset={offset} size={size}");
    let _ = writeln!(head, ".input T6 offset={} size=4", offset + size);
    let _ = writeln!(head, ".kernel_attr Target=\"cm\"\n.kernel_attr SimdSize={n}\n.kernel_attr SLMSize=1");
    head.push_str(".function \"random_main\"\nrandom_main:\n");
    head
}
