//! The registers that a message reads and writes: whether they lie inside their variables, at register boundaries.

use super::message::{Class, Data, Message};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::checks::table::alignment::MISALIGNED_OPERAND;
use crate::checks::table::bytes::{OPERAND_OUT_OF_BOUNDS, enlarged};
use crate::checks::table::{document, only_left};
use crate::program::VariableId;
use crate::program::variable::{FLAG_BROKEN, FLAG_OPEN};
use crate::spec::Platform;

/// A place in the register file that a message names.
#[derive(Clone, Copy)]
pub struct Register {
    /// The variable; not `%null`.
    pub variable: VariableId,
    /// Rows of one register each.
    pub row: i32,
    /// Byte offset in the row.
    pub byte_offset: i64,
    /// Its place in the text.
    pub span: Span,
    /// Whether it is written.
    pub is_written: bool,
}

impl Register {
    /// Where the data of a message begin, which are not `%null`.
    #[must_use]
    pub fn of_data(message: &Message, data: &Data) -> Self {
        let Data { variable, byte_offset, spans, .. } = *data;
        let span = if spans.offset.is_empty() { spans.name } else { spans.name.to(spans.offset) };
        let is_written = message.class != Class::Store;
        Self { variable, row: 0, byte_offset: i64::from(byte_offset), span, is_written }
    }

    fn start(&self, grf_bytes: u32) -> i64 {
        i64::from(self.row) * i64::from(grf_bytes) + self.byte_offset
    }

    /// Bytes of the variable from the start on, also for an alias that reaches beyond the end of its root.
    fn available(&self, view: &View, grf_bytes: u32) -> i64 {
        let program = view.cx.program;
        let row = &program.variables[self.variable];
        let own = i64::from(program.variable_bytes(self.variable, grf_bytes));
        let in_root = i64::from(program.variable_bytes(row.root, grf_bytes)) - i64::from(row.root_offset);
        own.min(in_root) - self.start(grf_bytes)
    }

    fn is_known(&self, view: &View) -> bool {
        let program = view.cx.program;
        let row = &program.variables[self.variable];
        self.variable != VariableId::NULL
            && !row.is(FLAG_BROKEN | FLAG_OPEN)
            && !program.variables[row.root].is(FLAG_BROKEN | FLAG_OPEN)
    }

    /// Adds the declaration.
    pub fn declared(&self, view: &View, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.declared_at(view.cx.program.variable_spans[self.variable].name)
    }

    /// Checks that `needed` bytes from the start on lie inside the variable. Returns whether they do, as far as that
    /// can be said.
    pub fn check_extent(&self, view: &View, sink: &mut Sink, needed: impl Fn(u32) -> i64) -> bool {
        if !self.is_known(view) {
            return true;
        }
        let failing = view.cx.failing_grf(|grf| self.start(grf) < 0 || needed(grf) > self.available(view, grf));
        let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
        sink.report_on(view.cx, failing, || self.out_of_bounds(view, grf_bytes, needed(grf_bytes), Level::Error));
        !view.cx.concerns(failing)
    }

    /// Warns where the message is widened, and is then longer than the variable.
    pub fn warn_extent(
        &self,
        view: &View,
        sink: &mut Sink,
        is_widened: impl Fn(Platform) -> bool,
        needed: impl Fn(Platform) -> i64,
    ) {
        if !self.is_known(view) {
            return;
        }
        let failing = view.cx.failing(|p| is_widened(*p) && needed(*p) > self.available(view, p.grf_bytes()));
        let Some(platform) = failing.iter().next() else { return };
        sink.report_on(view.cx, failing, || {
            // Lanes that the program does not have are off: compilers load scalars into variables of their size.
            self.out_of_bounds(view, platform.grf_bytes(), needed(platform), Level::Pedantic)
                .note("few lanes are widened to the least number that the unit knows, and whole registers are written")
        });
    }

    fn out_of_bounds(&self, view: &View, grf_bytes: u32, needed: i64, level: Level) -> Diagnostic {
        let name = view.cx.program.variable_name(self.variable);
        let verb = if self.is_written { "writes" } else { "reads" };
        let left = self.available(view, grf_bytes).max(0);
        let message = format!("`{}` {verb} {needed} bytes, {}", view.text(self.span), only_left(name, left));
        let size = view.cx.program.variable_bytes(self.variable, grf_bytes);
        let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, self.span, message)
            .level(level)
            .label(format!("`{name}` has {size} bytes"));
        let end = self.start(grf_bytes) + needed;
        enlarged(view, self.declared(view, diagnostic), self.variable, end).note(document(view))
    }

    /// Checks that it begins at a register boundary. Variables smaller than a register may stand anywhere in one.
    pub fn check_alignment(&self, view: &View, sink: &mut Sink) {
        if !self.is_known(view) {
            return;
        }
        let program = view.cx.program;
        let row = &program.variables[self.variable];
        let start = |grf| self.start(grf) + i64::from(row.root_offset);
        let failing = view.cx.failing_grf(|grf| {
            let is_small = program.variable_bytes(row.root, grf) < grf;
            start(grf).rem_euclid(i64::from(grf)) != 0 && (!is_small || self.byte_offset != 0)
        });
        sink.report_on(view.cx, failing, || {
            let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
            let message = format!(
                "`{}` does not begin at a register boundary (a multiple of {grf_bytes} bytes)",
                view.text(self.span)
            );
            let root = program.variable_name(row.root);
            let diagnostic = Diagnostic::new(&MISALIGNED_OPERAND, self.span, message)
                .label(format!("begins at byte {} of `{root}`", start(grf_bytes)));
            self.declared(view, diagnostic).note(document(view))
        });
    }
}
