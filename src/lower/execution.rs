//! What stands in parentheses after mnemonic and modifiers.

use super::Lowering;
use super::instruction::takes_exec;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Rule;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::program::instruction::{Instruction, InstructionSpans};
use crate::program::operand::{Operand, OperandSpans};
use crate::spec::instruction::{Execution, Flow, Sizes};
use crate::spec::{self, words};
use crate::syntax::number;
use crate::syntax::tree::{Arguments, Base, ExprKind, Item};

crate::declare_rule! {
    /// The execution mask and size are missing. They stand in parentheses right after the mnemonic and its modifiers.
    ///
    /// ```visa bad
    /// mov VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub MISSING_EXEC_SIZE = "missing-exec-size", Error | Warning, "3_execution_model"
}

crate::declare_rule! {
    /// A mask that does not exist. The masks are `M1` to `M8` and `M1_NM` to `M8_NM`; `NoMask` means `M1_NM`.
    ///
    /// ```visa bad
    /// mov (M0, 8) VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub UNKNOWN_EXEC_MASK = "unknown-exec-mask", Error, "3_execution_model"
}

crate::declare_rule! {
    /// An execution size that is not 1, 2, 4, 8, 16 or 32, written in decimal.
    ///
    /// ```visa bad
    /// mov (M1, 12) VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub INVALID_EXEC_SIZE = "invalid-exec-size", Error, "3_execution_model"
}

crate::declare_rule! {
    /// An execution mask or size in an instruction that has none.
    ///
    /// ```visa bad
    /// barrier (M1, 8)
    /// ```
    /// ```visa good
    /// barrier
    /// ```
    pub UNEXPECTED_EXEC_SIZE = "unexpected-exec-size", Error, "3_execution_model"
}

/// What a misspelt mask is compared with.
const MASKS: [&str; 16] = [
    "M1_NM", "M2_NM", "M3_NM", "M4_NM", "M5_NM", "M6_NM", "M7_NM", "M8_NM", "M1", "M2", "M3", "M4", "M5", "M6", "M7",
    "M8",
];

impl Lowering<'_> {
    /// Reads the parentheses; returns how many items of the statement they took.
    pub(super) fn execution(
        &mut self,
        row: &'static spec::Instruction,
        instruction: &mut Instruction,
        spans: &mut InstructionSpans,
    ) -> usize {
        let first = self.parser.tree.operands.first().map(|id| *self.parser.tree.item(*id));
        match row.execution {
            Execution::MaskAndSize | Execution::BlockCount => {
                let Some(item) = first.filter(|i| self.is_parenthesis(i)) else {
                    instruction.is_broken = true;
                    if first.is_some_and(|item| self.bracketed_execution(&item)) {
                        return 1;
                    }
                    if let Some(n) = self.bare_execution(row) {
                        return n;
                    }
                    self.is_incomplete |= first.is_none();
                    let message = format!("the execution mask and size are missing after `{}`", row.mnemonic);
                    self.report(Diagnostic::new(&MISSING_EXEC_SIZE, spans.mnemonic, message).help(format!(
                        "write `{} (M1, {})`",
                        row.mnemonic,
                        usual_size(row)
                    )));
                    return 0;
                };
                spans.exec = item.span;
                if !self.mask_and_size(&item, instruction, spans) {
                    instruction.is_broken = true;
                }
                1
            }
            Execution::OptionalSize => {
                if let Some(item) = first.filter(|i| self.is_parenthesis(i)) {
                    spans.exec = item.span;
                    if !self.size_only(&item, instruction, spans) {
                        instruction.is_broken = true;
                    }
                    1
                } else {
                    instruction.exec_size = 8;
                    0
                }
            }
            Execution::None => {
                if let Some(item) = first.filter(|i| self.is_parenthesis(i) && !takes_exec(row)) {
                    let message = format!("`{}` has no execution mask and size", row.mnemonic);
                    self.report(
                        Diagnostic::new(&UNEXPECTED_EXEC_SIZE, item.span, message).replace(item.span, "", true),
                    );
                    return 1;
                }
                0
            }
            Execution::Pair | Execution::Triple => self.operands_in_parentheses(row, first, instruction, spans),
        }
    }

    pub(super) fn is_parenthesis(&self, item: &Item) -> bool {
        match item.base {
            Base::Exec => true,
            Base::Expr(e) => {
                item.suffix.is_none() && matches!(self.parser.tree.expr(e).kind, ExprKind::Group(_) | ExprKind::Pair)
            }
            _ => false,
        }
    }

    /// `(M1, 16)` or `(16)`. Returns whether it could be understood.
    fn mask_and_size(&mut self, item: &Item, instruction: &mut Instruction, spans: &mut InstructionSpans) -> bool {
        if item.base == Base::Exec {
            let text = item.span.of(self.text);
            let comma = text.find(',').unwrap_or(0) as u32;
            spans.mask = Span::new(item.span.start + 1, item.span.start + comma);
            spans.size = Span::new(item.span.start + comma + 2, item.span.end - 1);
            let mask = self.mask(spans.mask, instruction);
            let size = self.exec_size(spans.size, instruction);
            instruction.has_exec = mask && size;
            return mask && size;
        }
        let Base::Expr(id) = item.base else { return false };
        let ExprKind::Group(list) = self.parser.tree.expr(id).kind else {
            self.report_no_mask_and_size(&UNKNOWN_EXEC_MASK, item.span);
            return false;
        };
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        if let Some(diagnostic) = self.incomplete_mask_and_size(item.span, &items) {
            self.report(diagnostic);
            return false;
        }
        instruction.has_exec = match items.as_slice() {
            [only] if self.hardware_execution(only.span) => return false,
            [size] => {
                spans.size = size.span;
                self.exec_size(size.span, instruction)
            }
            [mask, size] => {
                (spans.mask, spans.size) = (mask.span, size.span);
                let mask_is_fine = if self.is_bare_name(mask) {
                    self.mask(mask.span, instruction)
                } else {
                    self.report_mask(mask.span);
                    false
                };
                self.exec_size(size.span, instruction) && mask_is_fine
            }
            _ => {
                self.report_no_mask_and_size(&INVALID_EXEC_SIZE, item.span);
                return false;
            }
        };
        instruction.has_exec
    }

    /// What is wrong with parentheses in which the mask or the size is missing, or stands at the place of the other.
    fn incomplete_mask_and_size(&self, group: Span, items: &[Item]) -> Option<Diagnostic> {
        match items {
            [mask] if words::exec_mask(mask.span.of(self.text)).is_some() => {
                let written = mask.span.of(self.text);
                let message = format!("the execution size is missing after `{written}`");
                Some(
                    Diagnostic::new(&INVALID_EXEC_SIZE, mask.span, message)
                        .help(format!("write `({written}, 8)`, or the size that is meant")),
                )
            }
            [mask, size] if mask.base == Base::Empty && size.base != Base::Empty => {
                let comma = Span::new(mask.span.end, size.span.start).trimmed(self.text);
                let message = "the mask is missing before this comma";
                Some(Diagnostic::new(&UNKNOWN_EXEC_MASK, comma, message).replace(Span::at(comma.start), "M1", false))
            }
            [mask, size] if size.base == Base::Empty => {
                let comma = Span::new(
                    size.span.start.saturating_sub(1).max(mask.span.end),
                    size.span.start.max(mask.span.end + 1),
                );
                Some(
                    Diagnostic::new(&INVALID_EXEC_SIZE, comma, "the execution size is missing after this comma")
                        .help("execution sizes are 1, 2, 4, 8, 16 and 32"),
                )
            }
            [size, mask]
                if words::exec_mask(mask.span.of(self.text)).is_some()
                    && size.span.of(self.text).bytes().all(|b| b.is_ascii_digit()) =>
            {
                let meant = format!("({}, {})", mask.span.of(self.text), size.span.of(self.text));
                let message = "the mask stands before the execution size";
                Some(Diagnostic::new(&INVALID_EXEC_SIZE, group, message).replace(group, meant, true))
            }
            _ => None,
        }
    }

    fn is_bare_name(&self, item: &Item) -> bool {
        matches!(item.base, Base::Expr(e) if matches!(self.parser.tree.expr(e).kind, ExprKind::Name(_, Arguments::None)))
    }

    fn report_no_mask_and_size(&mut self, rule: &'static Rule, span: Span) {
        let written = span.of(self.text);
        self.report(
            Diagnostic::new(rule, span, format!("`{written}` is not an execution mask and size"))
                .help("write a mask and a size, as in `(M1, 16)`"),
        );
    }

    pub(super) fn mask(&mut self, span: Span, instruction: &mut Instruction) -> bool {
        if let Some((offset, no_mask)) = words::exec_mask(span.of(self.text)) {
            instruction.mask_offset = offset;
            instruction.no_mask = no_mask;
            return true;
        }
        self.report_mask(span);
        false
    }

    fn report_mask(&mut self, span: Span) {
        let written = span.of(self.text);
        let mut diagnostic = Diagnostic::new(&UNKNOWN_EXEC_MASK, span, format!("`{written}` is not an execution mask"))
            .note("the masks are `M1` to `M8`, each with `_NM` to switch the execution mask off");
        let upper = written.to_ascii_uppercase();
        let meant = match upper.as_str() {
            "NOMASK" => Some(("NoMask".to_owned(), true)),
            "M0" => Some(("M1".to_owned(), true)),
            "M0_NM" => Some(("M1_NM".to_owned(), true)),
            "NM" => Some(("M1_NM".to_owned(), false)),
            _ if upper.ends_with("NM") && words::exec_mask(&upper.replace("NM", "_NM")).is_some() => {
                Some((upper.replace("NM", "_NM"), true))
            }
            _ if words::exec_mask(&upper).is_some() => Some((upper.clone(), true)),
            _ if words::exec_mask(&upper.replace('.', "_")).is_some() => Some((upper.replace('.', "_"), true)),
            _ => closest(&upper, MASKS.into_iter()).map(|mask| (mask.to_owned(), false)),
        };
        if let Some((meant, certain)) = meant {
            diagnostic = diagnostic.replace(span, meant, certain);
        }
        self.report(diagnostic);
    }

    pub(super) fn exec_size(&mut self, span: Span, instruction: &mut Instruction) -> bool {
        let written = span.of(self.text);
        let is_decimal = !written.is_empty() && written.bytes().all(|b| b.is_ascii_digit());
        let value = if is_decimal { number::number(written).written } else { 0 };
        let is_size = |value| u32::try_from(value).is_ok_and(|value| Sizes::ALL.contains(value));
        if is_decimal && is_size(value) {
            instruction.exec_size = value as u8;
            return true;
        }
        let mut diagnostic = Diagnostic::new(&INVALID_EXEC_SIZE, span, format!("`{written}` is not an execution size"))
            .note("execution sizes are 1, 2, 4, 8, 16 and 32, written in decimal");
        let is_hex = written.starts_with("0x") || written.starts_with("0X");
        if is_hex {
            let value = number::number(written).written;
            if is_size(value) {
                diagnostic = diagnostic.replace(span, value.to_string(), true);
            }
        }
        if let Some((mask, size)) = written.split_once('|').filter(|(mask, _)| words::exec_mask(mask.trim()).is_some())
        {
            diagnostic = diagnostic.replace(span, format!("{}, {}", mask.trim(), size.trim()), false);
        }
        let digits = written.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        if let (Some((mask, _)), true) = (written.split_once('.'), !written.starts_with(|c: char| c.is_ascii_digit())) {
            if words::exec_mask(mask.trim()).is_some() {
                let dot = span.start + mask.len() as u32;
                diagnostic = Diagnostic::new(
                    &INVALID_EXEC_SIZE,
                    Span::new(dot, dot + 1),
                    "a comma stands between the mask and the execution size",
                )
                .replace(Span::new(dot, dot + 1), ",", true);
            }
        } else if digits.len() < written.len() && matches!(digits, "1" | "2" | "4" | "8" | "16" | "32") {
            diagnostic = diagnostic.replace(span, digits, false);
        }
        self.report(diagnostic);
        false
    }

    fn size_only(&mut self, item: &Item, instruction: &mut Instruction, spans: &mut InstructionSpans) -> bool {
        if let Base::Expr(id) = item.base
            && let ExprKind::Group(list) = self.parser.tree.expr(id).kind
        {
            let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
            if let [size] = items.as_slice() {
                spans.size = size.span;
                instruction.has_exec = self.exec_size(size.span, instruction);
                return instruction.has_exec;
            }
        }
        let written = item.span.of(self.text);
        let message = format!("`{written}`: this instruction takes a size without a mask");
        self.report(Diagnostic::new(&UNEXPECTED_EXEC_SIZE, item.span, message).help("write `(8)` or `(16)`"));
        false
    }

    /// `(4, 0)`: the first operands of the row, in parentheses.
    fn operands_in_parentheses(
        &mut self,
        row: &'static spec::Instruction,
        first: Option<Item>,
        instruction: &mut Instruction,
        spans: &mut InstructionSpans,
    ) -> usize {
        let n = row.execution.n_operands();
        let slots = &row.operands[..n.min(row.operands.len())];
        let what = || crate::spec::join_and(slots.iter().map(|s| format!("`{}`", s.name)));
        let Some(item) = first.filter(|i| self.is_parenthesis(i)) else {
            instruction.is_broken = true;
            let message = format!("the parentheses with {} are missing after `{}`", what(), row.mnemonic);
            self.report(Diagnostic::new(&super::arity::MISSING_OPERAND, spans.mnemonic, message));
            for (i, _) in slots.iter().enumerate() {
                self.push_operand(Operand::Broken, OperandSpans::default(), i as u8);
            }
            return 0;
        };
        spans.exec = item.span;
        // A mask and a size are a token of their own, and no operands.
        let kind = match item.base {
            Base::Expr(id) => Some(self.parser.tree.expr(id).kind),
            _ => None,
        };
        if let Some(ExprKind::Pair) = kind {
            // `(16,4)`: a token of its own; its numbers are plain decimals.
            let text = item.span.of(self.text);
            let values: Vec<u64> = number::digits(text).collect();
            if values.len() == n {
                let comma = item.span.start + text.find(',').unwrap_or(0) as u32;
                let places = [Span::new(item.span.start + 1, comma), Span::new(comma + 1, item.span.end - 1)];
                for (i, value) in values.iter().enumerate() {
                    let place = places[i.min(1)];
                    let spans = OperandSpans { whole: place, name: place, ..OperandSpans::default() };
                    self.push_operand(Operand::Number { value: *value as i64 }, spans, i as u8);
                }
                return 1;
            }
        }
        let items: Vec<Item> = match kind {
            Some(ExprKind::Group(list)) => self.parser.tree.list(list).copied().collect(),
            _ => Vec::new(),
        };
        if items.len() != n {
            instruction.is_broken = true;
            let message = format!("`{}` has to hold {}", item.span.of(self.text), what());
            self.report(Diagnostic::new(&super::arity::MISSING_OPERAND, item.span, message));
            for (i, _) in slots.iter().enumerate() {
                self.push_operand(Operand::Broken, OperandSpans::default(), i as u8);
            }
            return 1;
        }
        for (i, (slot, item)) in slots.iter().zip(&items).enumerate() {
            let (operand, spans) = self.operand(slot, item);
            self.push_operand(operand, spans, i as u8);
        }
        1
    }
}

/// The size that stands where none is known to be meant.
fn usual_size(row: &spec::Instruction) -> u8 {
    if matches!(row.flow, Flow::Jump | Flow::Return) { 1 } else { 16 }
}
