//! What one assembler takes and another one loses or does not know.

use super::context::{Context, Sink, View};
use crate::base::diagnostic::Diagnostic;
use crate::program::Operand;
use crate::spec::words;

crate::declare_rule! {
    /// An instruction that only assemblers of text version 4.2 know, in text that calls itself older.
    ///
    /// ```visa bad
    /// // pedantic
    /// breakpoint
    /// ```
    /// ```visa good
    /// // pedantic
    /// .version 4.2
    /// .kernel "k"
    ///     breakpoint
    ///     ret (M1_NM, 1)
    /// ```
    pub NEWER_INSTRUCTION = "newer-instruction", Pedantic, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// `mov` with the address of a variable. It is assembled as it stands, but a listing of the program shows the variable
    /// itself instead of its address, and means something else when it is assembled again. `addr_add` survives.
    ///
    /// ```visa bad
    /// mov (M1_NM, 1) A0(0)<1> &VUD[4]
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VUD[4] 0x0:uw
    /// ```
    pub LOST_ADDRESS_OF = "lost-address-of", Warning, "MOV"
}

/// Checks one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    if view.row.mnemonic == "mov" {
        for (operand, spans, _) in view.each_operand() {
            if matches!(operand, Operand::AddressOf { .. }) {
                let written = view.text(spans.whole);
                let message = format!("`{written}` is lost when the program is listed and assembled again");
                sink.report(
                    Diagnostic::new(&LOST_ADDRESS_OF, spans.whole, message)
                        .help(format!("write `addr_add` with `{written} 0x0:uw`")),
                );
            }
        }
    }
}

/// Reports newer instructions in older text.
pub fn newer_instructions(cx: &Context, sink: &mut Sink) {
    if !cx.options.is_wanted(&NEWER_INSTRUCTION) || cx.is_version_4_2() || cx.program.version.is_none() {
        return;
    }
    for (index, instruction) in cx.program.instructions.entries() {
        let Some(row) = cx.program.row(instruction).filter(|row| words::is_newer(row.mnemonic)) else { continue };
        let message = format!("assemblers of text version 4.1 do not know `{}`", row.mnemonic);
        let diagnostic = Diagnostic::new(&NEWER_INSTRUCTION, cx.program.instruction_spans[index].mnemonic, message);
        sink.report(match cx.program.version {
            Some((_, _, place)) => diagnostic.also(place, "the version of this text"),
            None => diagnostic,
        });
    }
}
