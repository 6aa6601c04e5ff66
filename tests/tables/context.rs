//! Programs around the examples that need more than a kernel with the usual declarations.

use crate::support::kernel;
use visa_lint::spec::Instruction;

/// The program around `line`, if the instruction needs a special one.
pub(super) fn program(row: &Instruction, line: &str) -> Option<String> {
    let indented = format!("    {line}\n");
    match row.mnemonic {
        "call" => {
            Some(kernel("", &indented) + ".function \"example_subroutine\"\nexample_subroutine:\n    ret (M1, 1)\n")
        }
        "fret" => Some(format!(
            ".version 4.1\n.global_function \"f\"\n.decl P1 v_type=P num_elts=32\n.kernel_attr ArgSize=1\n.kernel_attr RetValSize=1\n.function \"f_main\"\nf_main:\n{indented}"
        )),
        "fccall" => Some(kernel(
            ".decl return_ip v_type=G type=uq num_elts=1 align=qword\n.input return_ip offset=64 size=8\n",
            &indented,
        )),
        "lifetime.end" => Some(kernel("", &format!("    lifetime.start {}\n{indented}", "VF"))),
        "lifetime.start" => Some(kernel("", &format!("{indented}    lifetime.end {}\n", "VF"))),
        // The label of the prelude stands above: a loop without a way out.
        "jmp" | "switchjmp" => Some(kernel("", &format!("{indented}label_1:\n")).replacen("label_1:\n", "", 1)),
        "sbarrier.signal" => Some(kernel("", &format!("{indented}    sbarrier.wait\n"))),
        "nbarrier.signal" => Some(kernel("", &format!("{indented}    nbarrier.wait 0x1:ub\n"))),
        "nbarrier.wait" => Some(kernel("", &format!("    nbarrier.signal 0x1:ub 0x4:ub\n{indented}"))),
        "sbarrier.wait" => Some(kernel("", &format!("    sbarrier.signal\n{indented}"))),
        _ => None,
    }
}
