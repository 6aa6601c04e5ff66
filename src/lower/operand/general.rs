//! General operands with row, column and region, and elements without a region.

use super::region::MALFORMED_REGION;
use super::{BARE, HANDLE, Named, VECTOR, WRONG_OPERAND_FORM};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::lower::expression::clamp;
use crate::program::operand::{Operand, OperandSpans};
use crate::program::variable::FLAG_BROKEN;
use crate::spec::instruction::{OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::syntax::number;
use crate::syntax::tree::{Base, Item, List, RegionSyntax};

crate::declare_rule! {
    /// A general or indirect operand without its region. Sources need `(row,column)<v;w,h>`, destinations `<h>`.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> VD2(0,0)
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> VD2(0,0)<8;8,1>
    /// ```
    pub MISSING_REGION = "missing-region", Error, "3_execution_model",
        help = "write one stride after a destination, `<1>`, and three numbers after a source, `<8;8,1>`"
}

impl Lowering<'_> {
    /// `V1(0,0)<8;8,1>`, one token.
    pub(super) fn plain_general(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        span: Span,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let bytes = span.of(self.text).as_bytes();
        // It is near: searching byte by byte beats setting up a search.
        let n_name = bytes.iter().position(|b| *b == b'(')?;
        let (row, n_row) = number::leading(bytes.get(n_name + 1..)?);
        let (column, n_column) = number::leading(bytes.get(n_name + n_row + 2..)?);
        let open = span.start + n_name as u32;
        let less = open + (n_row + n_column + 3) as u32;
        spans.name = Span::new(span.start, open);
        spans.offset = Span::new(open, less);
        spans.region = Span::new(less, span.end);
        if slot.kinds.intersects(BARE) || item.length.is_some() || item.region != RegionSyntax::None {
            self.report_form(slot, item);
            return None;
        }
        let region = match item.base {
            Base::Source(_) => RegionSyntax::Source(spans.region),
            _ => RegionSyntax::Stride(spans.region),
        };
        let Some(named) = self.use_named(spans.name) else {
            self.form_of_unknown(slot, item, region, spans);
            return None;
        };
        if let Some(suffix) = item.suffix {
            return self.surplus_suffix(suffix, named.kind, spans.name.of(self.text));
        }
        self.two_arguments(slot, item, named, (row as i64, column as i64), region, spans)
    }

    /// Whether text that is not known may declare a name.
    pub(super) fn is_unknown(&self, name: Span) -> bool {
        self.find_variable(name.of(self.text)).is_none() && self.hides_names()
    }

    /// Whether a fragment declares a general variable in a way that could not be read.
    fn is_unread(&self, name: Span) -> bool {
        let is_broken = |v| {
            let row = &self.program.variables[v];
            row.is(FLAG_BROKEN) && row.kind == VariableKind::General
        };
        self.program.fragment.is_some() && self.find_variable(name.of(self.text)).is_some_and(is_broken)
    }

    /// Reports the region of a name with a row and a column which text that is not known may declare: it can only be a
    /// general variable.
    pub(super) fn form_of_unknown(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        region: RegionSyntax,
        spans: &OperandSpans,
    ) {
        let is_unknown = self.is_unknown(spans.name) || self.is_unread(spans.name) && region != RegionSyntax::None;
        let is_raw =
            slot.kinds.contains(OperandKind::Raw) && !slot.kinds.intersects(VECTOR) && !slot.kinds.intersects(HANDLE);
        if is_unknown && is_raw && region != RegionSyntax::None && item.suffix.is_none() {
            self.report_form(slot, item);
            return;
        }
        if !is_unknown || !slot.kinds.intersects(VECTOR) || item.suffix.is_some() {
            return;
        }
        if region != RegionSyntax::None {
            if let Some(region) = self.region(slot, region, spans.region) {
                self.note_form(region, self.modifier(item), spans.whole);
            }
        } else if !slot.kinds.contains(OperandKind::Element) && !slot.kinds.contains(OperandKind::LscRegister) {
            self.report_missing_region(slot, item, spans.name.of(self.text));
        }
    }

    /// Reports one number in parentheses before the region of a source, `V1(0)<1;1,0>`, whatever the name stands for.
    pub(super) fn row_of_unknown(&mut self, slot: &'static OperandSlot, item: &Item, name: Span, list: List) {
        let is_unknown = self.is_unknown(name) || self.is_unread(name);
        let is_one = self.parser.tree.list(list).count() == 1;
        let takes_address = slot.kinds.contains(OperandKind::Address);
        if is_unknown && is_one && slot.kinds.intersects(VECTOR) && !takes_address && item.suffix.is_none() {
            self.report_form(slot, item);
        }
    }

    /// Checks that the slot takes a byte offset behind a name, `V1.64`, whatever the name stands for.
    pub(super) fn offset_of_unknown(&mut self, slot: &'static OperandSlot, item: &Item, name: Span) {
        let takes_offset = slot.kinds.contains(OperandKind::Raw) || slot.kinds.contains(OperandKind::LscRegister);
        let is_unknown = self.is_unknown(name) || self.is_unread(name);
        let takes_general = slot.kinds.intersects(VECTOR) || slot.kinds.contains(OperandKind::Element);
        if is_unknown && takes_general && !takes_offset && item.suffix.is_none() {
            self.report_form(slot, item);
        }
    }

    /// A name with a row and a column, `V1(0,0)`, and maybe a region.
    pub(super) fn two_arguments(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        named: Named,
        (row, column): (i64, i64),
        region: RegionSyntax,
        spans: &OperandSpans,
    ) -> Option<Operand> {
        let Named { name, variable, kind } = named;
        let (row, column) = (clamp(row), clamp(column));
        if region == RegionSyntax::None {
            if slot.kinds.contains(OperandKind::Element) || slot.kinds.contains(OperandKind::LscRegister) {
                self.need_general(named, slot)?;
                return Some(Operand::Element { variable, row, column });
            }
            if slot.kinds.intersects(VECTOR) && kind == VariableKind::General {
                self.report_missing_region(slot, item, name.of(self.text));
                return None;
            }
            self.need_general(named, slot)?;
            return Some(Operand::Element { variable, row, column });
        }
        if slot.kinds.contains(OperandKind::Element) && !slot.kinds.intersects(VECTOR) {
            let message = format!("`{}` takes no region", name.to(spans.offset).of(self.text));
            self.report(Diagnostic::new(&MALFORMED_REGION, spans.region, message).replace(spans.region, "", true));
            return None;
        }
        if slot.kinds.contains(OperandKind::Raw) && !slot.kinds.intersects(VECTOR) {
            let message =
                format!("`{}` has to be a raw operand, without row, column and region", item.span.of(self.text));
            self.report(
                Diagnostic::new(&WRONG_OPERAND_FORM, item.span, message)
                    .help(format!("write `{}.` and a byte offset", name.of(self.text))),
            );
            return None;
        }
        self.need_general(named, slot)?;
        let region = self.region(slot, region, spans.region)?;
        Some(Operand::General { variable, row, column, region, modifier: self.modifier(item) })
    }

    pub(super) fn report_missing_region(&mut self, slot: &OperandSlot, item: &Item, word: &str) {
        if item.index.is_some() {
            // `V(0,0)[1]`
            let open = item.span.of(self.text).rfind('[').map_or(item.span.start, |i| item.span.start + i as u32);
            self.report_region_brackets(Span::new(open, item.span.end));
            return;
        }
        let is_destination = slot.role.writes();
        let example = if is_destination {
            "<1>"
        } else if slot.scalar {
            "<0;1,0>"
        } else {
            "<8;8,1>"
        };
        let has_offset = item.span.of(self.text).contains('(');
        let written = if has_offset { item.span.of(self.text).to_owned() } else { format!("{word}(0,0)") };
        let message = format!("the operand `{}` needs a region", item.span.of(self.text));
        let diagnostic =
            Diagnostic::new(&MISSING_REGION, item.span, message).help(format!("write `{written}{example}`"));
        let certain = slot.scalar && !is_destination;
        self.report(diagnostic.replace(item.span, format!("{written}{example}"), certain));
    }
}
