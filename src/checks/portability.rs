//! What one assembler takes and another one does not know.

use super::context::{Context, Sink};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::spec::instruction::Custom;

crate::declare_rule! {
    /// A form that the text version of the file does not have. Assemblers that read the older text do not know what came
    /// with version 4.2: newer LSC messages and modifiers, `surf`, a base after `flat`, the index of a surface, offsets of
    /// 2D blocks, the spelling `d16u32`; and the newer ones do not read `lsc_read_state_info` without coordinates. Other
    /// newer instructions are reported with `--pedantic`.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .decl A v_type=G type=uq num_elts=16 align=GRF
    /// .decl D v_type=G type=ud num_elts=16 align=GRF
    /// .kernel_attr Target="cm"
    /// .input A offset=64 size=128
    /// .function "k_main"
    /// k_main:
    /// lsc_load.ugm (M1, 16) D:d16u32 flat[A]:a64
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d16c32 flat[VUQ]:a64
    /// ```
    pub WRONG_TEXT_VERSION = "wrong-text-version", Warning | Pedantic, "8_appendix_visa_assembly_syntax",
        help = "raise `.version`, or use the form that this version knows"
}

/// Reports newer instructions in older text.
pub fn newer_instructions(cx: &Context, sink: &mut Sink) {
    let is_wanted = cx.options.level_of(&WRONG_TEXT_VERSION, Level::Pedantic).is_some();
    if !is_wanted || cx.is_version_4_2() || cx.program.version.is_none() {
        return;
    }
    for (index, instruction) in cx.program.instructions.entries() {
        let Some(row) = cx.program.row(instruction).filter(|row| row.newer_text) else { continue };
        if row.custom == Some(Custom::Lsc) {
            // The checks of these messages know more of it.
            continue;
        }
        let message = format!("assemblers of text version 4.1 do not know `{}`", row.mnemonic);
        let diagnostic = Diagnostic::new(&WRONG_TEXT_VERSION, cx.program.instruction_spans[index].mnemonic, message)
            .level(Level::Pedantic);
        sink.report(match cx.program.version {
            Some((_, _, place)) => diagnostic.also(place, "the version of this text"),
            None => diagnostic,
        });
    }
}
