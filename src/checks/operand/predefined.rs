//! Writes to predefined variables.

use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::program::{Footprint, Operand, OperandSpans, VariableId};
use crate::spec::instruction::OperandSlot;
use crate::spec::predefined::{VariableKind, Writable};
use crate::spec::{Platform, PlatformSet};

crate::declare_rule! {
    /// A write to a predefined variable that is read-only, directly or through an alias. Writable are `%null`, `%arg`,
    /// `%retval`, `%sp`, `%fp`, `%cr0`, `%dbg0`, `%impl_arg_buf_ptr`, `%local_id_buf_ptr`, element 4 of `%tsc` (not on PVC)
    /// and elements 1 and 2 of `%sr0`. Assemblers do not see a write through an alias.
    ///
    /// ```visa bad
    /// mov (M1, 8) %r0(0,0)<1> VUD(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov (M1, 8) VUD(0,0)<1> %r0(0,0)<8;8,1>
    /// ```
    pub WRITE_TO_READ_ONLY = "write-to-read-only", Error, "4_visa_header",
        help = "write to a variable of your own; what is predefined belongs to the hardware or the calling convention"
}

/// Checks one operand; gives whether it may be written, as far as one can tell.
pub fn check(
    view: &View,
    sink: &mut Sink,
    operand: &Operand,
    spans: &OperandSpans,
    slot: &'static OperandSlot,
) -> bool {
    if !slot.role.writes() {
        return true;
    }
    let Some(variable) = operand.variable() else { return true };
    let program = view.cx.program;
    let root = program.variables[variable].root;
    let Some(row) = root.predefined() else { return true };
    let general = row.kind == VariableKind::General;
    if root == VariableId::NULL
        || !general && !matches!(operand, Operand::State { .. })
        || matches!(operand, Operand::Indirect { .. })
    {
        return true;
    }
    let written = |grf_bytes| elements(view, operand, slot, grf_bytes);
    let failing = match row.writable {
        Writable::Yes => return true,
        Writable::No => view.cx.platforms,
        Writable::Elements(allowed) => view.cx.failing_grf(|g| {
            written(g).is_some_and(|all| all.into_iter().any(|e| !allowed.iter().any(|a| i64::from(*a) == e)))
        }),
    };
    let is_alias = variable != root;
    // Such an alias is a fault where it is declared.
    if is_alias && !row.aliasable {
        return true;
    }
    let name = view.text(spans.name);
    if view.cx.concerns(failing) {
        sink.report_on(view.cx, failing, || {
            let message = match row.writable {
                _ if is_alias => format!("`{name}` is an alias of `{}`, which is read-only", row.name),
                Writable::Elements(_) => format!("this element of `{name}` is read-only"),
                _ if name != row.name => format!("`{name}` is another name of `{}`, which is read-only", row.name),
                _ => format!("`{name}` is read-only"),
            };
            let diagnostic = Diagnostic::new(&WRITE_TO_READ_ONLY, spans.whole, message);
            let diagnostic = match row.writable {
                Writable::Elements(allowed) => diagnostic.note(format!(
                    "writable are the elements {}",
                    crate::spec::join_and(allowed.iter().map(u32::to_string))
                )),
                _ => diagnostic,
            };
            table::declared(view, diagnostic, operand)
        });
        return false;
    }
    if row.name == "%tsc" {
        // The one element that may be written is the pause counter.
        sink.report_on(view.cx, fixed_pause_counter(), || {
            let message = format!("the pause counter `{}` cannot be written on PVC", view.text(spans.whole));
            Diagnostic::new(&WRITE_TO_READ_ONLY, spans.whole, message)
        });
    }
    true
}

/// Where the pause counter cannot be written.
#[must_use]
pub fn fixed_pause_counter() -> PlatformSet {
    [Platform::PVC, Platform::PVCXT].into_iter().collect()
}

/// The elements of the predefined variable that the operand writes.
fn elements(view: &View, operand: &Operand, slot: &OperandSlot, grf_bytes: u32) -> Option<Vec<i64>> {
    let program = view.cx.program;
    if let Some(footprint) = Footprint::new(program, operand, super::n_lanes(view, slot), grf_bytes) {
        let bytes = i64::from(program.variables[footprint.root].element_bytes());
        return Some(footprint.lanes().map(|byte| byte.div_euclid(bytes)).collect());
    }
    let (variable, start) = table::bytes::raw_start(view, operand, grf_bytes)?;
    let info = &program.variables[variable];
    let bytes = i64::from(program.variables[info.root].element_bytes());
    Some(vec![(start + i64::from(info.root_offset)).div_euclid(bytes)])
}
