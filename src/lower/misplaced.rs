//! Words and numbers that stand beside the place where they belong: one finding for each, and the rest of the line is read
//! as it was meant.

use super::execution::{INVALID_EXEC_SIZE, MISSING_EXEC_SIZE};
use super::modifier::{BLANK_IN_MODIFIER, UNKNOWN_MODIFIER, channel_mask};
use super::operand::{
    INVALID_IMMEDIATE, MALFORMED_REGION, MISPLACED_SOURCE_MODIFIER, MISSING_TYPE, WRONG_OPERAND_FORM,
};
use super::{Lowering, unquoted};
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::span::Span;
use crate::spec::instruction::{Modifier, ModifierKind, OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::spec::{self, Type, words};
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::tree::{Arguments, Base, ExprKind, Item, ModifierSyntax, RegionSyntax};

fn change(title: String, edits: Vec<(Span, String)>, certain: bool) -> Fix {
    Fix { title, edits: edits.into_iter().map(|(span, text)| Edit { span, text }).collect(), certain }
}

impl Lowering<'_> {
    /// The operand at a place of the statement, as it was parsed.
    fn given(&self, place: usize) -> Option<Item> {
        self.parser.tree.operands.get(place).map(|id| *self.parser.tree.item(*id))
    }

    /// The name that an item consists of, without anything else.
    fn only_name(&self, item: &Item) -> Option<Span> {
        let Base::Expr(id) = item.base else { return None };
        let is_plain = item.suffix.is_none()
            && item.region == RegionSyntax::None
            && item.index.is_none()
            && item.modifier.is_none()
            && item.length.is_none();
        match self.parser.tree.expr(id).kind {
            ExprKind::Name(name, Arguments::None) if is_plain && item.word.is_none() => Some(name),
            _ => None,
        }
    }

    /// Whether an item is a mask and a size in parentheses.
    fn is_mask_and_size(&self, item: &Item) -> bool {
        if item.base == Base::Exec {
            return true;
        }
        let Base::Expr(id) = item.base else { return false };
        let ExprKind::Group(list) = self.parser.tree.expr(id).kind else { return false };
        let mut items = self.parser.tree.list(list);
        items
            .next()
            .and_then(|first| self.only_name(first))
            .is_some_and(|name| words::exec_mask(name.of(self.text)).is_some())
    }

    /// Puts a word between the mnemonic and the execution mask (`cmp eq (M1, 8)`) where it belongs.
    pub(super) fn word_before_execution(&mut self, row: &'static spec::Instruction, mnemonic: Span) {
        if !row.execution.has_mask() {
            return;
        }
        self.split_call();
        let (Some(first), Some(second)) = (self.given(0), self.given(1)) else { return };
        if self.is_mask_and_size(&first) || !self.is_mask_and_size(&second) {
            return;
        }
        let in_parentheses = match first.base {
            Base::Expr(id) => match self.parser.tree.expr(id).kind {
                ExprKind::Group(list) => {
                    self.parser.tree.list(list).next().copied().and_then(|item| self.only_name(&item))
                }
                _ => None,
            },
            _ => None,
        };
        let Some(word) = self.only_name(&first).or(in_parentheses) else { return };
        let text = word.of(self.text);
        let last = self.parser.tree.modifiers.last().map(|m| m.span);
        let diagnostic = match last {
            Some(dot) if dot.of(self.text) == "." && text.starts_with('%') => {
                self.parser.tree.modifiers.pop();
                let message = format!("`{}` has no modifier `.{text}`", row.mnemonic);
                Diagnostic::new(&UNKNOWN_MODIFIER, dot.to(word), message).label("names with `%` are variables")
            }
            Some(dot) if dot.of(self.text) == "." => {
                self.parser.tree.modifiers.pop();
                let gap = Span::new(dot.end, word.start);
                Diagnostic::new(&BLANK_IN_MODIFIER, dot.to(word), "no blank may stand after the dot of a modifier")
                    .replace(gap, "", true)
            }
            Some(front)
                if Self::is_modifier(row, &format!("{}{text}", front.of(self.text).trim_start_matches('.'))) =>
            {
                let whole = format!("{}{text}", front.of(self.text));
                self.parser.tree.modifiers.pop();
                Diagnostic::new(
                    &BLANK_IN_MODIFIER,
                    front.to(word),
                    format!("no blank may stand in the modifier `{whole}`"),
                )
                .replace(Span::new(front.end, word.start), "", true)
            }
            _ if Self::is_modifier(row, text) => {
                let whole = format!("{}.{text}", mnemonic.of(self.text));
                let before = last.map_or(mnemonic.end, |m| m.end);
                let edits = vec![(Span::new(before, first.span.end), format!(".{text}"))];
                self.push_modifier(word);
                Diagnostic::new(
                    &UNKNOWN_MODIFIER,
                    first.span,
                    format!("the modifier `{text}` has to follow a dot: `{whole}`"),
                )
                .fix(change(format!("write `{whole}`"), edits, true))
            }
            _ => Diagnostic::new(
                &SYNTAX_ERROR,
                first.span,
                format!(
                    "`{}` cannot stand between `{}` and the execution mask",
                    first.span.of(self.text),
                    row.mnemonic
                ),
            ),
        };
        self.report(diagnostic);
        self.is_incomplete = true;
        self.parser.tree.operands.remove(0);
    }

    /// Makes two operands of `eq (M1,8)`, which the grammar takes for a name with arguments.
    fn split_call(&mut self) {
        let Some(first) = self.given(0) else { return };
        let Base::Expr(id) = first.base else { return };
        let expr = *self.parser.tree.expr(id);
        let ExprKind::Name(name, Arguments::List(list)) = expr.kind else { return };
        let mask = self.parser.tree.list(list).next().copied().and_then(|item| self.only_name(&item));
        if mask.is_none_or(|mask| words::exec_mask(mask.of(self.text)).is_none())
            || first.suffix.is_some()
            || first.region != RegionSyntax::None
        {
            return;
        }
        let Some(open) = self.text[name.end as usize..].find('(') else { return };
        let span = Span::new(name.end + open as u32, expr.span.end);
        let tree = &mut self.parser.tree;
        let word = Item::new(name, Base::Expr(tree.add_name(name)));
        let group = Item { span, base: Base::Expr(tree.add_group(span, list)), ..first };
        tree.replace_operand(0, group);
        tree.insert_operand(0, word);
    }

    /// Whether a word without its dot is a modifier of the instruction.
    fn is_modifier(row: &spec::Instruction, word: &str) -> bool {
        let has = |m: &Modifier| match m.kind {
            ModifierKind::Word => m.values.iter().any(|v| v.text == word),
            ModifierKind::ChannelMask => channel_mask(word).is_some(),
            _ => false,
        };
        word == "sat" || row.modifiers.iter().any(has)
    }

    /// Reports a word after the execution size (`add (M1, 8).sat`) that does not belong there, and takes it away. Returns
    /// whether it did.
    pub(super) fn word_after_execution(&mut self, row: &'static spec::Instruction, mnemonic: Span, word: Span) -> bool {
        let text = word.of(self.text);
        if row.modifiers.iter().any(|m| m.after_execution) {
            return false;
        }
        let takes_label = row.operands.first().is_some_and(|s| s.kinds.contains(OperandKind::Label));
        if takes_label && self.parser.tree.operands.len() == 1 {
            self.report(Diagnostic::new(&SYNTAX_ERROR, word, "a label has no dot before it").replace(
                word,
                &text[1..],
                true,
            ));
            self.is_incomplete = true;
            return true;
        }
        if !Self::is_modifier(row, &text[1..]) {
            return false;
        }
        let before = self.parser.tree.modifiers.last().map_or(mnemonic.end, |m| m.span.end);
        let edits = vec![(Span::at(before), text.to_owned()), (word, String::new())];
        let message = format!("`{text}` has to stand before the execution mask and size");
        self.report(Diagnostic::new(&UNKNOWN_MODIFIER, word, message).fix(change(
            format!("write `{}{text}`", mnemonic.of(self.text)),
            edits,
            true,
        )));
        self.is_incomplete = true;
        true
    }

    /// Makes one broken operand of each two items that were meant as one, where there are more items than operands; reports
    /// them.
    pub(super) fn join_halves(&mut self, slots: &'static [OperandSlot], first: usize) {
        let n_items = self.parser.tree.operands.len();
        if n_items - first <= slots.len() {
            return;
        }
        let mut kept = self.parser.tree.operands[..first].to_vec();
        let mut place = first;
        while let Some(item) = self.given(place) {
            let slot = slots.get(kept.len() - first);
            let whole = slot.zip(self.given(place + 1)).and_then(|(slot, next)| {
                let is_one = self.is_split_number(slot, &item, &next)
                    || self.is_split_modifier(slot, &item)
                    || self.is_bare_modifier(slot, &item, &next)
                    || self.is_offset_in_parentheses(&item, &next)
                    || self.is_quoted_variable(&item, &next)
                    || self.is_split_region(&item, &next)
                    || self.is_region_in_parentheses(&item, &next)
                    || n_items - first == slots.len() + 1 && self.is_cut_in_two(slot, &item, &next);
                is_one.then(|| item.span.to(next.span))
            });
            if let Some(whole) = whole {
                kept.push(self.parser.tree.add_item(Item::new(whole, Base::Broken)));
                place += 2;
            } else {
                kept.push(self.parser.tree.operands[place]);
                place += 1;
            }
        }
        self.parser.tree.operands = kept;
    }

    /// Whether a type stands between a name and its region: `V5:d(0,0)<1>`. Reports it.
    fn is_split_region(&mut self, item: &Item, next: &Item) -> bool {
        let (Some(suffix), Some(name)) = (item.suffix, self.only_name_before(item)) else { return false };
        if next.span.start != suffix.end || !next.span.of(self.text).starts_with('(') {
            return false;
        }
        let Some(variable) = self.find_variable(name.of(self.text)) else { return false };
        if self.program.variables[variable].kind != VariableKind::General {
            return false;
        }
        self.surplus_suffix(suffix, VariableKind::General, name.of(self.text));
        true
    }

    /// Whether a region stands in parentheses right after row and column: `V5(0,0)(1)`. Reports it.
    fn is_region_in_parentheses(&mut self, item: &Item, next: &Item) -> bool {
        let (Base::Expr(first), Base::Expr(second)) = (item.base, next.base) else { return false };
        let has_element =
            matches!(self.parser.tree.expr(first).kind, ExprKind::Name(_, Arguments::Pair(_) | Arguments::List(_)));
        let is_group = matches!(self.parser.tree.expr(second).kind, ExprKind::Group(_) | ExprKind::Pair);
        let is_bare = item.region == RegionSyntax::None && item.suffix.is_none() && next.suffix.is_none();
        if !(has_element && is_group && is_bare) || next.span.start != item.span.end {
            return false;
        }
        self.report_region_brackets(next.span);
        true
    }

    /// Reports a region in parentheses or square brackets.
    pub(super) fn report_region_brackets(&mut self, brackets: Span) {
        let inner = Span::new(brackets.start + 1, brackets.end - 1);
        let edits = vec![
            (Span::new(brackets.start, inner.start), "<".to_owned()),
            (Span::new(inner.end, brackets.end), ">".to_owned()),
        ];
        self.report(Diagnostic::new(&MALFORMED_REGION, brackets, "a region stands in angle brackets").fix(change(
            format!("write `<{}>`", inner.of(self.text)),
            edits,
            true,
        )));
    }

    /// The name that an item with a type consists of.
    fn only_name_before(&self, item: &Item) -> Option<Span> {
        let Base::Expr(base) = item.base else { return None };
        let ExprKind::Name(name, _) = self.parser.tree.expr(base).kind else { return None };
        (item.modifier.is_none() && item.index.is_none() && item.region == RegionSyntax::None).then_some(name)
    }

    /// Whether an item is a number without a type, and right beside it what was meant to be part of it: `0b10:d`, `1u:d`,
    /// `0x1 d`. Reports it.
    fn is_split_number(&mut self, slot: &OperandSlot, item: &Item, next: &Item) -> bool {
        if !slot.kinds.contains(OperandKind::Immediate) || slot.kinds.contains(OperandKind::Number) {
            return false;
        }
        let (Base::Expr(first), Base::Expr(second)) = (item.base, next.base) else { return false };
        let is_number = matches!(self.parser.tree.expr(first).kind, ExprKind::Dec | ExprKind::Hex);
        let ExprKind::Name(name, _) = self.parser.tree.expr(second).kind else { return false };
        if !is_number || item.suffix.is_some() || item.region != RegionSyntax::None || next.region != RegionSyntax::None
        {
            return false;
        }
        let number = item.span.of(self.text);
        let diagnostic = if name.start == item.span.end {
            self.glued_number(number, name.of(self.text), next.suffix, item.span.to(next.span))
        } else if Type::from_text(name.of(self.text)).is_some()
            && self.only_name(next).is_some()
            && self.find_variable(name.of(self.text)).is_none()
        {
            let gap = Span::new(item.span.end, name.start);
            let message = format!("the number `{number}` and its type are joined by a colon");
            Diagnostic::new(&MISSING_TYPE, item.span.to(name), message).replace(gap, ":", true)
        } else {
            return false;
        };
        self.report(diagnostic);
        true
    }

    /// Whether an item is the word `abs` or `neg` before an operand: `abs V5(0,0)<1;1,0>`. Reports it.
    fn is_bare_modifier(&mut self, slot: &OperandSlot, item: &Item, next: &Item) -> bool {
        let Some(word) = self.only_name(item) else { return false };
        let meant = match word.of(self.text).to_ascii_lowercase().as_str() {
            "abs" => "(abs)",
            "neg" => "(-)",
            _ => return false,
        };
        if !slot.kinds.contains(OperandKind::General) || self.find_variable(word.of(self.text)).is_some() {
            return false;
        }
        let before = Span::new(word.start, next.span.start);
        let message = format!("the source modifier is written `{meant}`");
        self.report(Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, word, message).replace(before, meant, true));
        true
    }

    /// Whether an operand without a region stands right before another one, as in `33(0,0)<1;1,0>` or
    /// `V5(0,0)5<1;1,0>`. Reports both as one.
    fn is_cut_in_two(&mut self, slot: &OperandSlot, item: &Item, next: &Item) -> bool {
        let is_vector = slot.kinds.contains(OperandKind::General);
        let is_bare = item.region == RegionSyntax::None && item.suffix.is_none() && item.index.is_none();
        if !is_vector || !is_bare || !matches!(item.base, Base::Expr(_)) || next.span.start != item.span.end {
            return false;
        }
        let whole = item.span.to(next.span);
        let written = whole.of(self.text);
        let diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, whole, format!("`{written}` is not an operand"));
        self.report(if written.starts_with(|c: char| c.is_ascii_digit()) {
            diagnostic.help("a name begins with a letter or `_`")
        } else {
            diagnostic.help("a general operand is written `V(0,0)<8;8,1>`")
        });
        true
    }

    /// Whether a name in quotes stands before row and column: `"V5"(0,0)<1;1,0>`. Reports it.
    fn is_quoted_variable(&mut self, item: &Item, next: &Item) -> bool {
        let (Base::Expr(first), true) = (item.base, next.span.start == item.span.end) else { return false };
        if self.parser.tree.expr(first).kind != ExprKind::String || !next.span.of(self.text).starts_with('(') {
            return false;
        }
        let quoted = item.span.of(self.text);
        let name = unquoted(quoted);
        let is_declared = self.find_variable(name).is_some();
        self.report(
            Diagnostic::new(&WRONG_OPERAND_FORM, item.span, format!("the variable {quoted} cannot stand in quotes"))
                .replace(item.span, name, is_declared),
        );
        true
    }

    /// Whether the byte offset of an address stands in parentheses: `&V5(4)`. Reports it.
    fn is_offset_in_parentheses(&mut self, item: &Item, next: &Item) -> bool {
        let (Base::AddressOf(_), Base::Expr(second)) = (item.base, next.base) else { return false };
        let ExprKind::Group(list) = self.parser.tree.expr(second).kind else { return false };
        if item.index.is_some() || next.suffix.is_some() || next.span.start != item.span.end {
            return false;
        }
        if self.parser.tree.list(list).count() != 1 {
            return false;
        }
        let parentheses = next.span;
        let inner = Span::new(parentheses.start + 1, parentheses.end - 1);
        let edits = vec![
            (Span::new(parentheses.start, inner.start), "[".to_owned()),
            (Span::new(inner.end, parentheses.end), "]".to_owned()),
        ];
        let meant = format!("{}[{}]", item.span.of(self.text), inner.of(self.text));
        self.report(
            Diagnostic::new(&WRONG_OPERAND_FORM, parentheses, "the byte offset of an address stands in brackets")
                .fix(change(format!("write `{meant}`"), edits, true)),
        );
        true
    }

    /// Whether an item is a source modifier that is not written as one, so that the grammar takes `(ABS)V` for two operands.
    /// Reports it.
    fn is_split_modifier(&mut self, slot: &OperandSlot, item: &Item) -> bool {
        let Base::Expr(id) = item.base else { return false };
        let is_group = matches!(self.parser.tree.expr(id).kind, ExprKind::Group(_));
        let takes_modifiers = slot.kinds.contains(OperandKind::General) && item.suffix.is_none();
        is_group && takes_modifiers && self.misspelt_modifier(id)
    }

    fn glued_number(&self, number: &str, word: &str, suffix: Option<Span>, whole: Span) -> Diagnostic {
        let diagnostic =
            Diagnostic::new(&INVALID_IMMEDIATE, whole, format!("`{}` is not a number", whole.of(self.text)));
        let ending = suffix.map_or("", |s| s.of(self.text));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if let Some(bits) = word.strip_prefix(['b', 'B']).filter(|_| number == "0") {
            return match u64::from_str_radix(bits, 2) {
                Ok(value) => {
                    diagnostic.note("there are no binary numbers").replace(whole, format!("{value:#x}{ending}"), true)
                }
                Err(_) => diagnostic.note("there are no binary numbers"),
            };
        }
        if let Some(exponent) = word.strip_prefix(['e', 'E']).filter(|e| digits(e)) {
            let ending = if ending.is_empty() { ":f" } else { ending };
            return diagnostic.note("the exponent needs a sign").replace(
                whole,
                format!("{number}e+{exponent}{ending}"),
                true,
            );
        }
        let plain: String = word.chars().filter(|c| *c != '_').collect();
        if word.starts_with('_') && digits(&plain) {
            return diagnostic.replace(whole, format!("{number}{plain}{ending}"), true);
        }
        // A decimal integer with the type of a float is a bit pattern.
        let of_type = |t: &str| match Type::from_text(t) {
            Some(t) if t.is_float() => format!("{number}.0"),
            _ => number.to_owned(),
        };
        if let ("u" | "U" | "l" | "L" | "ul" | "UL" | "f" | "F", false) = (word, ending.is_empty()) {
            return diagnostic.note("the type after the colon is the only suffix of a number").replace(
                whole,
                format!("{}{ending}", of_type(ending.trim_start_matches(':'))),
                true,
            );
        }
        if Type::from_text(word).is_some() && ending.is_empty() {
            return diagnostic.replace(whole, format!("{}:{word}", of_type(word)), true);
        }
        diagnostic.note("a number has digits only, hexadecimal ones after `0x`, and its type after a colon")
    }

    /// `[M1, 8]` where `(M1, 8)` is meant.
    pub(super) fn bracketed_execution(&mut self, item: &Item) -> bool {
        let Some(list) = item.index.filter(|_| item.base == Base::Index) else { return false };
        if self.parser.tree.list(list).count() > 2 {
            return false;
        }
        let span = item.span;
        let inner = Span::new(span.start + 1, span.end - 1).of(self.text);
        let edits = vec![
            (Span::new(span.start, span.start + 1), "(".to_owned()),
            (Span::new(span.end - 1, span.end), ")".to_owned()),
        ];
        self.report(
            Diagnostic::new(&INVALID_EXEC_SIZE, span, "the execution mask and size stand in parentheses").fix(change(
                format!("write `({inner})`"),
                edits,
                true,
            )),
        );
        true
    }

    /// `M1 16` without parentheses, or `M1` or `16` alone. Returns how many items of the statement that is.
    pub(super) fn bare_execution(&mut self, row: &spec::Instruction) -> Option<usize> {
        let text = self.text;
        let is_size = |span: &Span| matches!(span.of(text), "1" | "2" | "4" | "8" | "16" | "32");
        let first = self.parser.tree.operands.first().map(|id| self.parser.tree.item(*id).span);
        let is_operand = row.operands.first().is_some_and(|slot| slot.kinds.contains(OperandKind::Number));
        if let Some(size) = first.filter(|span| is_size(span) && !is_operand) {
            let written = size.of(text);
            self.report(
                Diagnostic::new(&MISSING_EXEC_SIZE, size, format!("`{written}` has neither a mask nor parentheses"))
                    .replace(size, format!("(M1, {written})"), false),
            );
            return Some(1);
        }
        let mut items = self.parser.tree.operands.iter().map(|id| self.parser.tree.item(*id).span);
        let mask = items.next().filter(|span| words::exec_mask(span.of(text)).is_some())?;
        let size = items.next().filter(is_size);
        let span = size.map_or(mask, |size| mask.to(size));
        let written = span.of(text);
        let diagnostic =
            Diagnostic::new(&MISSING_EXEC_SIZE, span, format!("the parentheses around `{written}` are missing"));
        self.report(match size {
            Some(size) => diagnostic.replace(span, format!("({}, {})", mask.of(text), size.of(text)), true),
            None => diagnostic.help(format!("write `({written}, 16)`")),
        });
        Some(1 + usize::from(size.is_some()))
    }

    /// `(8|M0)`, as assembler of the hardware is written.
    pub(super) fn hardware_execution(&mut self, span: Span) -> bool {
        let Some((size, mask)) = span.of(self.text).split_once('|') else { return false };
        let lane: Option<u32> = mask.trim().strip_prefix('M').and_then(|n| n.parse().ok());
        let Some(lane) = lane.filter(|l| l % 4 == 0 && *l < 32) else { return false };
        let meant = format!("M{}, {}", lane / 4 + 1, size.trim());
        let message = format!("`{}` is assembler of the hardware: vISA writes `({meant})`", span.of(self.text));
        self.report(Diagnostic::new(&INVALID_EXEC_SIZE, span, message).replace(span, meant, false));
        true
    }

    /// Takes a modifier that was read as something else.
    pub(super) fn push_modifier(&mut self, span: Span) {
        self.parser.tree.modifiers.push(ModifierSyntax { span, is_number: false });
    }
}
