//! The language server over its protocol.

mod client;
mod code_action;
mod completion;
mod configuration;
mod diagnostics;
mod documents;
mod edits;
mod hosts;
mod hover;
mod lifecycle;
mod names;
mod reading;
mod stdio;
mod structure;

use crate::support::kernel;
use std::fmt::Write as _;

/// A good kernel of that many lines, of the kind that compilers print.
pub fn long_kernel(n_lines: usize) -> String {
    let mut text = kernel("", "");
    let end = text.rfind("    ret").expect("the prelude ends with ret");
    let mut body = String::new();
    let n_own = n_lines.saturating_sub(text.lines().count());
    for i in 0..n_own {
        let row = i % 32;
        let _ = match i % 4 {
            0 => writeln!(body, "    add (M1, 16) VD({row},0)<1> VD2({row},0)<1;1,0> VD({row},0)<1;1,0> /// ${i}"),
            1 => writeln!(
                body,
                "    mad (M1, 16) VF({row},0)<1> VF2({row},0)<1;1,0> VF({row},0)<1;1,0> VF2({row},0)<0;1,0> /// ${i}"
            ),
            2 => writeln!(body, "    gather4_scaled.RG (M1, 8) T6 0x0:ud VUD.{} VF.{} /// ${i}", row * 32, row * 32),
            _ => writeln!(body, "    (P1) sel (M1, 16) VUD({row},0)<1> VUD({row},0)<1;1,0> 0x{i:x}:ud /// ${i}"),
        };
    }
    text.insert_str(end, &body);
    text
}
