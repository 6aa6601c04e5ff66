//! Operands that begin with the name of a variable: what follows the name decides about their form.

use super::general::MISSING_REGION;
use super::immediate::{INVALID_IMMEDIATE, special_float};
use super::raw::{MALFORMED_NULL, MISSING_RAW_OFFSET};
use super::region::MALFORMED_REGION;
use super::{Named, VECTOR, WRONG_OPERAND_FORM, slot_words};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::program::operand::{Operand, OperandSpans};
use crate::program::variable::VariableId;
use crate::spec::instruction::{KindSet, OperandKind, OperandSlot, Role};
use crate::spec::operand::NullUse;
use crate::spec::predefined::VariableKind;
use crate::syntax::number;
use crate::syntax::tree::{Arguments, Base, ExprId, Item, List, RegionSyntax};

crate::declare_rule! {
    /// A predefined surface under a name that the text does not know. `T0`, `T3`, `T4` and `T5` are written `%slm`,
    /// `TSS`, `%bss` and `%scratch`.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T0 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) %slm 0x0:ud VUD.0 VUD.64
    /// ```
    pub SURFACE_WITHOUT_NAME = "surface-without-name", Error, "4_visa_header"
}

crate::declare_rule! {
    /// A type written after an operand whose type is that of its declaration.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1>:d 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub SURPLUS_TYPE = "surplus-type", Error, "8_appendix_visa_assembly_syntax"
}

impl Lowering<'_> {
    /// The variable that is named at `name`; reports and returns nothing if there is none.
    pub(super) fn use_named(&mut self, name: Span) -> Option<Named> {
        let variable = self.use_variable(name)?;
        Some(Named { name, variable, kind: self.program.variables[variable].kind })
    }

    pub(super) fn named(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        arguments: Arguments,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let argument_span = Span::new(
            name.end,
            match arguments {
                Arguments::None => name.end,
                Arguments::Offset(span) | Arguments::Pair(span) => span.end,
                Arguments::OffsetExpr(_) | Arguments::List(_) => self.end_of_arguments(item, name),
            },
        );
        spans.offset = argument_span.trimmed(self.text);
        spans.region = self.region_span(item, argument_span.end);
        if let Some(suffix) = item.suffix
            && slot.kinds.intersects(super::DATA)
        {
            return self.lsc_data(slot, item, name, arguments, suffix);
        }
        if self.find_variable(name.of(self.text)).is_none()
            && self.report_other_meaning(slot, item, name, arguments, spans)
        {
            return None;
        }
        let Some(named) = self.use_named(name) else {
            match arguments {
                Arguments::Pair(_) => self.form_of_unknown(slot, item, item.region, spans),
                Arguments::None if self.is_unknown(name) && matches!(item.region, RegionSyntax::Source(_)) => {
                    self.region_alone(slot, item, name, spans);
                }
                Arguments::Offset(_) if item.region == RegionSyntax::None => self.offset_of_unknown(slot, item, name),
                Arguments::List(list) if matches!(item.region, RegionSyntax::Source(_)) => {
                    self.row_of_unknown(slot, item, name, list);
                }
                _ => {}
            }
            return None;
        };
        if let Some(suffix) = item.suffix {
            return self.surplus_suffix(suffix, named.kind, name.of(self.text));
        }
        if item.length.is_some() {
            return self.with_length(slot, item, named.variable, arguments);
        }
        match (arguments, item.region) {
            (Arguments::None, RegionSyntax::None) => self.bare(slot, item, named),
            (Arguments::Offset(_) | Arguments::OffsetExpr(_), RegionSyntax::None) => {
                self.raw(slot, item, named, arguments)
            }
            (Arguments::Offset(_) | Arguments::OffsetExpr(_), _) => {
                self.report_region_of_raw(slot, named, arguments, spans);
                None
            }
            (Arguments::None, region) => self.without_arguments(slot, item, named, region, spans),
            (Arguments::Pair(pair), region) => {
                let mut digits = number::digits(pair.of(self.text));
                let row = digits.next().unwrap_or(0) as i64;
                let column = digits.next().unwrap_or(0) as i64;
                self.two_arguments(slot, item, named, (row, column), region, spans)
            }
            (Arguments::List(list), region) => {
                let expressions = self.plain_arguments(item, list)?;
                match expressions.as_slice() {
                    [one] => self.one_argument(slot, item, named, *one, region, spans),
                    [row, column] => {
                        let (row, column) = (self.constant(*row), self.constant(*column));
                        self.two_arguments(slot, item, named, (row?, column?), region, spans)
                    }
                    _ => {
                        let written = spans.offset.of(self.text);
                        let message = format!("`{written}` has to hold a row and a column");
                        self.report(Diagnostic::new(&WRONG_OPERAND_FORM, spans.offset, message));
                        None
                    }
                }
            }
        }
    }

    /// Reports a region behind a byte offset. Where a slot takes a region, row and column are meant.
    fn report_region_of_raw(&mut self, slot: &OperandSlot, named: Named, arguments: Arguments, spans: &OperandSpans) {
        let written = named.name.to(spans.offset).of(self.text);
        if !slot.kinds.contains(OperandKind::General) {
            let message = format!("the raw operand `{written}` takes no region");
            self.report(Diagnostic::new(&MALFORMED_REGION, spans.region, message).replace(spans.region, "", false));
            return;
        }
        let message = format!(
            "a region stands behind row and column, not behind the byte offset `{}`",
            spans.offset.of(self.text)
        );
        let mut diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, spans.offset, message);
        let size = u64::from(self.program.variables[named.variable].element_type.bytes()).max(1);
        if let Arguments::Offset(span) = arguments
            && let offset = number::dotted(span.of(self.text)).written
            // Registers of all platforms have at least so many bytes.
            && offset < 32
            && offset.is_multiple_of(size)
        {
            diagnostic = diagnostic.replace(spans.offset, format!("(0,{})", offset / size), false);
        } else {
            diagnostic = diagnostic.help("write row and column, as in `(0,0)`");
        }
        self.report(diagnostic);
    }

    /// Reports a name that no variable has if it means something else: a surface by its number, a number, `r`, or a word
    /// that no name can be. Whether it did.
    fn report_other_meaning(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        arguments: Arguments,
        spans: &OperandSpans,
    ) -> bool {
        let word = name.of(self.text);
        let wants_handle =
            slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler, OperandKind::State]));
        let spelling = match word {
            "T0" => Some("%slm"),
            "T3" => Some("TSS"),
            "T4" | "T252" => Some("%bss"),
            "T5" | "T255" => Some("%scratch"),
            _ => None,
        };
        if let Some(spelling) = spelling.filter(|_| wants_handle) {
            let message = format!("the predefined surface `{word}` is written `{spelling}` in text");
            self.report(Diagnostic::new(&SURFACE_WITHOUT_NAME, name, message).replace(name, spelling, true));
            return true;
        }
        if let Some(suffix) = item.suffix.filter(|_| arguments == Arguments::None)
            && let Some(bits) = special_float(word, suffix.of(self.text))
        {
            let span = name.to(suffix);
            self.report(
                Diagnostic::new(&INVALID_IMMEDIATE, span, format!("`{word}` is not a number"))
                    .replace(span, bits, true),
            );
            return true;
        }
        if word.eq_ignore_ascii_case("null") && slot.null != NullUse::Forbidden {
            let is_raw = slot.kinds.contains(OperandKind::Raw) && arguments == Arguments::None;
            let meant = if is_raw { "%null.0" } else { "%null" };
            self.report(
                Diagnostic::new(&MALFORMED_NULL, name, format!("the null operand is written `{meant}`"))
                    .replace(name, meant, false),
            );
            return true;
        }
        if word.eq_ignore_ascii_case("r") && matches!(arguments, Arguments::List(_)) && item.suffix.is_some() {
            let inner = spans.offset.of(self.text);
            let span = name.to(spans.offset);
            let meant = format!("r[{}]", &inner[1..inner.len() - 1]);
            self.report(
                Diagnostic::new(&WRONG_OPERAND_FORM, span, "an indirect operand is written in brackets".to_owned())
                    .replace(span, meant, true),
            );
            return true;
        }
        if self.is_reserved(word) {
            // A mnemonic or keyword can only stand here because an operand before it is missing.
            self.report_form(slot, item);
            return true;
        }
        false
    }

    /// A name with a region alone, `V1<1>`.
    fn without_arguments(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        named: Named,
        region: RegionSyntax,
        spans: &OperandSpans,
    ) -> Option<Operand> {
        let name = named.name;
        if named.kind == VariableKind::Address && slot.kinds.contains(OperandKind::Address) {
            let written = item.span.of(self.text);
            let message = format!("the address operand `{written}` needs its element");
            self.report(Diagnostic::new(&WRONG_OPERAND_FORM, name, message).replace(Span::at(name.end), "(0)", false));
            return None;
        }
        let region = self.region(slot, region, spans.region)?;
        self.need_general(named, slot)?;
        if slot.role == Role::Source {
            self.region_alone(slot, item, name, spans);
            return None;
        }
        Some(Operand::General { variable: named.variable, row: 0, column: 0, region, modifier: self.modifier(item) })
    }

    /// Reports a source that is a name with a region and nothing between them.
    fn region_alone(&mut self, slot: &OperandSlot, item: &Item, name: Span, spans: &OperandSpans) {
        if slot.role != Role::Source || !slot.kinds.intersects(VECTOR) {
            return;
        }
        let message = format!("the source `{}` needs its row and column", item.span.of(self.text));
        self.report(
            Diagnostic::new(&MISSING_REGION, name, message)
                .help(format!("write `{}(0,0){}`", name.of(self.text), spans.region.of(self.text)))
                .replace(Span::at(name.end), "(0,0)", true),
        );
    }

    /// A name alone.
    fn bare(&mut self, slot: &'static OperandSlot, item: &Item, named: Named) -> Option<Operand> {
        let Named { name, variable, kind } = named;
        let kinds = slot.kinds;
        let is_handle = matches!(kind, VariableKind::Sampler | VariableKind::Surface);
        if item.index.is_some() {
            self.indexed_name(slot, item, named);
            return None;
        }
        if kind == VariableKind::Address && kinds.contains(OperandKind::Address) {
            let word = name.of(self.text);
            let message = format!("the address operand `{word}` needs its element and width");
            self.report(Diagnostic::new(&MISSING_REGION, name, message).replace(Span::at(name.end), "(0)<1>", false));
            return None;
        }
        if kinds.contains(OperandKind::Variable) {
            return Some(Operand::Variable { variable });
        }
        if kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]))
            && (is_handle
                || kind == VariableKind::General && (variable != VariableId::NULL || self.takes_printed_handles(slot)))
        {
            return Some(Operand::Handle { variable, index: 0 });
        }
        if kinds.contains(OperandKind::LscRegister) && kind == VariableKind::General {
            return Some(Operand::Raw { variable, byte_offset: 0 });
        }
        if kinds.contains(OperandKind::Predicate) && kind == VariableKind::Predicate {
            return Some(Operand::Predicate { variable });
        }
        let word = name.of(self.text);
        if kinds.contains(OperandKind::Raw) && kind == VariableKind::General {
            let rule = if variable == VariableId::NULL { &MALFORMED_NULL } else { &MISSING_RAW_OFFSET };
            self.report(
                Diagnostic::new(rule, name, format!("the raw operand `{word}` needs its byte offset"))
                    .help(format!("write `{word}.0`"))
                    .replace(Span::at(name.end), ".0", true),
            );
            return None;
        }
        if kinds.intersects(VECTOR) && kind == VariableKind::General {
            self.report_missing_region(slot, item, word);
            return None;
        }
        if kind == VariableKind::Predicate {
            return Some(Operand::Predicate { variable });
        }
        if is_handle {
            return Some(Operand::Handle { variable, index: 0 });
        }
        self.report_form(slot, item);
        None
    }

    /// `V[64]`, which is no operand: reports what is meant.
    fn indexed_name(&mut self, slot: &OperandSlot, item: &Item, Named { name, kind, .. }: Named) {
        let brackets = Span::new(name.end, item.span.end);
        let inner = brackets.of(self.text).trim().trim_start_matches('[').trim_end_matches(']').trim();
        let word = name.of(self.text);
        let is_number = !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit());
        let is_raw = slot.kinds.contains(OperandKind::Raw) && kind == VariableKind::General;
        let is_state =
            slot.kinds.contains(OperandKind::State) && matches!(kind, VariableKind::Surface | VariableKind::Sampler);
        let diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, brackets, format!("`{word}` takes no brackets here"));
        self.report(if is_raw && is_number {
            diagnostic.replace(brackets, format!(".{inner}"), false)
        } else if is_state {
            diagnostic.replace(brackets, format!("({inner})"), true)
        } else {
            diagnostic.help(format!("expected {}", slot_words(slot)))
        });
    }

    /// `A0(3)<4>`, `T6(0)`
    fn one_argument(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        Named { name, variable, kind }: Named,
        argument: ExprId,
        region: RegionSyntax,
        spans: &OperandSpans,
    ) -> Option<Operand> {
        let index = self.constant(argument)?;
        match kind {
            VariableKind::Address => self.address_element(item, variable, index, region, spans),
            VariableKind::Surface | VariableKind::Sampler if region == RegionSyntax::None => {
                self.state_element(slot, item, name, variable, index)
            }
            _ => {
                let written = spans.offset.of(self.text);
                let message = format!("`{written}` has to hold a row and a column");
                let mut diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, spans.offset, message);
                if kind == VariableKind::General {
                    diagnostic = diagnostic.help(format!(
                        "write `{}(0,{})`",
                        name.of(self.text),
                        written.trim_matches(['(', ')'])
                    ));
                }
                self.report(diagnostic);
                None
            }
        }
    }

    pub(super) fn plain_arguments(&mut self, item: &Item, list: List) -> Option<Vec<ExprId>> {
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        let mut expressions = Vec::with_capacity(items.len());
        for argument in items {
            if let Some(id) = argument.plain_expr() {
                expressions.push(id);
                continue;
            }
            let diagnostic =
                if argument.base == Base::Empty {
                    let rest = &self.text[argument.span.end as usize..];
                    let next = argument.span.end + (rest.len() - rest.trim_start().len()) as u32;
                    let (comma, side) = if self.text.as_bytes().get(next as usize) == Some(&b',') {
                        (Span::new(next, next + 1), "before")
                    } else {
                        let end = self.text[..argument.span.start as usize].trim_end().len() as u32;
                        (Span::new(end.saturating_sub(1).max(item.span.start), end.max(item.span.start + 1)), "after")
                    };
                    let gap = if side == "before" { comma.start } else { comma.end };
                    Diagnostic::new(&WRONG_OPERAND_FORM, comma, format!("a number is missing {side} this comma"))
                        .replace(Span::at(gap), "0", false)
                } else {
                    let written = argument.span;
                    let text = format!("`{}` cannot stand between the parentheses", written.of(self.text));
                    Diagnostic::new(&WRONG_OPERAND_FORM, written, text)
                };
            self.report(diagnostic);
            return None;
        }
        Some(expressions)
    }

    fn end_of_arguments(&self, item: &Item, name: Span) -> u32 {
        // The arguments end at the matching parenthesis.
        let mut depth = 0;
        for (i, byte) in self.text.as_bytes()[name.end as usize..item.span.end as usize].iter().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return name.end + i as u32 + 1;
                    }
                }
                _ => {}
            }
        }
        item.span.end
    }

    pub(in crate::lower) fn surplus_suffix(&mut self, suffix: Span, kind: VariableKind, word: &str) -> Option<Operand> {
        let written = suffix.of(self.text);
        let message = match kind {
            VariableKind::General => {
                format!("`{written}` cannot stand here: the type of `{word}` is that of its declaration")
            }
            _ => format!("`{written}` cannot stand after `{word}`"),
        };
        self.report(Diagnostic::new(&SURPLUS_TYPE, suffix, message).replace(suffix, "", true));
        None
    }
}
