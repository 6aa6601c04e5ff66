//! How many registers an operand touches.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::program::Footprint;
use crate::spec::family::Check;
use crate::spec::instruction::Custom;

crate::declare_rule! {
    /// An operand whose elements lie in more than two registers. The manual forbids it; assemblers split moves, logic,
    /// comparisons and arithmetic, which costs instructions, and the compiler counts on that. `addr_add` is not split.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// addr_add (M1_NM, 16) A0(0)<16> &VUD VUW(0,0)<4;1,0>
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// addr_add (M1_NM, 16) A0(0)<16> &VUD VUW(0,0)<1;1,0>
    /// ```
    pub OPERAND_SPANS_REGISTERS = "operand-spans-registers", Error | Pedantic, "5_operands",
        help = "use a smaller execution size or stride, so that the elements lie in two adjacent registers"
}

/// Checks the operands of one instruction; of those that are split, the first one is reported.
pub fn check(view: &View, sink: &mut Sink) {
    if view.row.custom != Some(Custom::Alu) || view.exec_size() < 4 {
        return;
    }
    let is_split = !view.row.has(Check::NotSplit);
    if is_split && !sink.wants(&OPERAND_SPANS_REGISTERS, Level::Pedantic) {
        return;
    }
    // Where so many elements are read whatever the region says, the region says nothing of registers.
    for (operand, spans, slot) in view.each_operand().filter(|(_, _, slot)| slot.elements.is_none()) {
        let footprint = |grf_bytes| Footprint::new(view.cx.program, operand, super::n_lanes(view, slot), grf_bytes);
        let failing = view.cx.failing_grf(|g| footprint(g).is_some_and(|f| f.n_registers(g) > 2));
        if !view.cx.concerns(failing) {
            continue;
        }
        let n = failing.grf_sizes().filter_map(|g| footprint(g).map(|f| f.n_registers(g))).max().unwrap_or(0);
        sink.report_on(view.cx, failing, || {
            let written = view.text(spans.whole);
            if is_split {
                let whole = view.exec_size() == 32;
                let place = if whole { view.spans.exec } else { spans.whole };
                Diagnostic::new(
                    &OPERAND_SPANS_REGISTERS,
                    place,
                    format!("this instruction is split: `{written}` lies in {n} registers"),
                )
                .level(Level::Pedantic)
                .note("an operand may touch two adjacent registers")
            } else {
                let message =
                    format!("`{written}` lies in {n} registers; `{}` takes two adjacent ones", view.row.mnemonic);
                table::declared(view, Diagnostic::new(&OPERAND_SPANS_REGISTERS, spans.whole, message), operand)
            }
        });
        return;
    }
}
