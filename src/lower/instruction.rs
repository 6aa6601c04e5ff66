//! An instruction: its row, predicate, modifiers, and its operands matched to slots.

use super::Lowering;
use super::operand::{MALFORMED_REGION, WRONG_OPERAND_FORM, WRONG_VARIABLE_KIND};
use super::reread::Noted;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Rule;
use crate::base::span::Span;
use crate::program::Region;
use crate::program::instruction::{Instruction, InstructionSpans, Predicate, PredicateControl};
use crate::program::operand::{Operand, OperandSpans};
use crate::program::variable::{FLAG_OPEN, FLAG_SET_AS_A_WHOLE};
use crate::spec::family::Check;
use crate::spec::instruction::{Custom, Execution, Flow, OperandSlot, Predication};
use crate::spec::predefined::VariableKind;
use crate::spec::{self, InstructionId};
use crate::syntax::tree::{Arguments, Base, ExprKind, ItemId, RegionSyntax, UnaryOperator};

crate::declare_rule! {
    /// A mnemonic that does not exist. Mnemonics are written in lower case.
    ///
    /// ```visa bad
    /// scater4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub UNKNOWN_INSTRUCTION = "unknown-instruction", Error, "5_instruction_set",
        help = "`visa-lint explain` lists the instructions"
}

crate::declare_rule! {
    /// A predicate that is not `(P)`, `(!P)`, `(P.any)` or `(P.all)` with a predicate variable.
    ///
    /// ```visa bad
    /// (P1.anyv) mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// (P1.any) mov (M1, 32) VD(0,0)<1> 0x1:d
    /// ```
    pub INVALID_PREDICATE = "invalid-predicate", Error, "3_execution_model",
        help = "name a variable that is declared with `v_type=P`"
}

/// No mnemonic with its dot is longer.
pub(super) const MAX_MNEMONIC_BYTES: usize = 64;

/// The rules of findings about operands that stand in the wrong slot.
static MISFITS: [&Rule; 5] = [
    &WRONG_OPERAND_FORM,
    &WRONG_VARIABLE_KIND,
    &MALFORMED_REGION,
    &super::expression::NOT_CONSTANT,
    &super::lsc::MALFORMED_LSC_ADDRESS,
];

impl Lowering<'_> {
    /// Reads the instruction in the tree.
    pub(super) fn instruction(&mut self, statement: Span, predicate: Option<ItemId>, mnemonic: Span) {
        self.need_version(mnemonic);
        self.n_before_instruction = self.program.diagnostics.len();
        self.first_operand = self.program.operands.len();
        let first_operand = self.first_operand as u32;
        let first_modifier = self.program.modifiers.len() as u32;
        let mut instruction = Instruction::broken(first_operand, first_modifier);
        let mut spans = InstructionSpans { statement, mnemonic, ..InstructionSpans::default() };
        let found = self.row_of(mnemonic);
        if let Some((id, n_words)) = found {
            let row = id.row();
            instruction.spec = Some(id);
            instruction.is_broken = false;
            if n_words > 0 {
                spans.mnemonic = mnemonic.to(self.parser.tree.modifiers[n_words - 1].span);
            }
            self.predicate(predicate, row.predicate, &mut instruction, &mut spans);
            // Nothing stands after the mnemonic: one finding says so.
            self.is_incomplete = row.execution.has_mask() && self.parser.tree.operands.is_empty();
            self.word_before_execution(row, mnemonic);
            self.move_trailing_modifier(row, mnemonic);
            self.undotted_numbers(row, n_words);
            self.modifiers(row, n_words, &mut instruction, mnemonic);
            let n_used = self.execution(row, &mut instruction, &mut spans);
            self.split_immediates(n_used);
            let is_lsc = row.custom == Some(Custom::Lsc);
            // What stands in the place of the mask and size is not known.
            let is_garbled = n_used == 0
                && row.execution.has_mask()
                && row.operands.last().is_none_or(|slot| !slot.variadic)
                && self.parser.tree.operands.len() > row.operands.len();
            if is_garbled || is_lsc && self.lsc_misplaced(row, n_used, &spans) {
                instruction.is_broken = true;
            } else {
                self.slots(row, n_used, &mut instruction, &spans);
            }
            if is_lsc {
                self.lsc_form(row, &mut instruction);
            }
            if row.has(Check::PredicateFromBits) {
                self.note_set_predicate(first_operand as usize);
            }
            let parts_lanes = match row.flow {
                Flow::Goto => true,
                Flow::Call | Flow::Return => instruction.predicate.is_some(),
                _ => false,
            };
            if let Some(object) = self.object().filter(|_| parts_lanes) {
                object.parts_lanes = true;
                self.record_note(Noted::PartedLanes);
            }
        } else {
            self.predicate(predicate, Predication::Allowed, &mut instruction, &mut spans);
        }
        instruction.set_ends(self.program.operands.len(), self.program.modifiers.len());
        self.program.instructions.push(instruction);
        self.program.instruction_spans.push(spans);
    }

    /// Remembers that a scalar sets a predicate: the destination of the operands from `first` on.
    fn note_set_predicate(&mut self, first: usize) {
        if let [Operand::Predicate { variable }, source] = self.program.operands[first..]
            && (matches!(source, Operand::Immediate { .. }) || source.region().is_some_and(Region::is_scalar))
        {
            self.note(variable, FLAG_SET_AS_A_WHOLE);
        }
    }

    /// Puts a modifier that stands after the execution size (`gather.4 (M1, 8).mod`) with the others.
    fn move_trailing_modifier(&mut self, row: &'static spec::Instruction, mnemonic: Span) {
        let tree = &self.parser.tree;
        let Some(first) = tree.operands.first().map(|id| *tree.item(*id)) else { return };
        if let (Some(word), true) = (first.word, self.is_parenthesis(&first)) {
            if !self.word_after_execution(row, mnemonic, word) {
                self.push_modifier(word);
            }
            self.parser.tree.replace_operand(0, crate::syntax::tree::Item { word: None, ..first });
        }
    }

    /// Stands for a line that could not be parsed.
    pub(super) fn broken_instruction(&mut self, statement: Span) {
        let instruction = Instruction::broken(self.program.operands.len() as u32, self.program.modifiers.len() as u32);
        self.program.instructions.push(instruction);
        self.program.instruction_spans.push(InstructionSpans { statement, ..InstructionSpans::default() });
    }

    /// The row of a mnemonic, and how many of the words after dots belong to it (`nbarrier.signal`).
    fn row_of(&mut self, mnemonic: Span) -> Option<(InstructionId, usize)> {
        let word = mnemonic.of(self.text);
        // A dotted mnemonic wins over a plain one: `add3.o` over `add3`.
        let first = self.parser.tree.modifiers.first().map(|m| m.span);
        if let Some(first) = first.filter(|m| m.start == mnemonic.end)
            && let Some(id) = spec::lookup_dotted(mnemonic.to(first).of(self.text))
        {
            return Some((id, 1));
        }
        if let Some(first) =
            first.filter(|m| m.start > mnemonic.end && word.len() + (m.len() as usize) < MAX_MNEMONIC_BYTES)
        {
            let whole = format!("{word}{}", first.of(self.text));
            if let Some(id) = spec::lookup_dotted(&whole) {
                let gap = Span::new(mnemonic.end, first.start);
                let message = format!("no blank may stand in the mnemonic `{whole}`");
                self.report(Diagnostic::new(&UNKNOWN_INSTRUCTION, mnemonic.to(first), message).replace(gap, "", true));
                return Some((id, 1));
            }
        }
        if let Some(id) = spec::lookup(word) {
            return Some((id, 0));
        }
        self.report_unknown(mnemonic, word);
        None
    }

    fn predicate(
        &mut self,
        item: Option<ItemId>,
        taken: Predication,
        instruction: &mut Instruction,
        spans: &mut InstructionSpans,
    ) {
        let Some(item) = item.map(|i| *self.parser.tree.item(i)) else { return };
        spans.predicate = item.span;
        if taken == Predication::Forbidden {
            // The instruction takes no predicate, which is reported once: its form does not matter.
            return;
        }
        let written = item.span.of(self.text);
        if let Some(modifier) = item.modifier {
            let name = written.trim_matches(['(', ')']);
            let message = format!("`{written}` is read as a source modifier, not as a predicate");
            let mut diagnostic = Diagnostic::new(&INVALID_PREDICATE, modifier, message);
            if self.find_variable(name).is_some() {
                diagnostic = diagnostic.help(format!("rename the predicate variable, or write `( {name})`")).replace(
                    modifier,
                    format!("( {name})"),
                    true,
                );
            }
            self.report(diagnostic);
            instruction.is_broken = true;
            return;
        }
        instruction.predicate = self.read_predicate(&item);
        if instruction.predicate.is_none() {
            instruction.is_broken = true;
        }
    }

    fn read_predicate(&mut self, group: &crate::syntax::tree::Item) -> Option<Predicate> {
        let malformed = |this: &mut Self, span: Span, message: String| {
            this.report(
                Diagnostic::new(&INVALID_PREDICATE, span, message)
                    .help("a predicate is written `(P1)`, `(!P1)`, `(P1.any)` or `(P1.all)`"),
            );
            None
        };
        let written = group.span.of(self.text);
        if written == "(W)" && self.find_variable("W").is_none() {
            self.report(
                Diagnostic::new(&INVALID_PREDICATE, group.span, "`(W)` is assembler of the hardware")
                    .help("to switch the execution mask off, write `_NM` after the mask: `(M1_NM, 16)`"),
            );
            return None;
        }
        let Base::Expr(id) = group.base else { return None };
        let ExprKind::Group(list) = self.parser.tree.expr(id).kind else { return None };
        let only = {
            let mut items = self.parser.tree.list(list).copied();
            items.next().filter(|_| items.next().is_none())
        };
        let Some(first) = only else {
            return malformed(self, group.span, format!("`{written}` is not a predicate"));
        };
        let Base::Expr(mut id) = first.base else {
            return malformed(self, group.span, format!("`{written}` is not a predicate"));
        };
        if first.modifier.is_some() || first.suffix.is_some() || first.region != RegionSyntax::None {
            return malformed(self, first.span, format!("`{}` is not a predicate", first.span.of(self.text)));
        }
        let mut is_inverted = false;
        if let ExprKind::Unary(UnaryOperator::Not, inner) = self.parser.tree.expr(id).kind {
            is_inverted = true;
            id = inner;
        }
        let expr = *self.parser.tree.expr(id);
        let ExprKind::Name(name, Arguments::None) = expr.kind else {
            if let ExprKind::Unary(_, inner) = expr.kind {
                let sign = Span::new(expr.span.start, self.parser.tree.expr(inner).span.start);
                let message =
                    if is_inverted { "a predicate is inverted once" } else { "a predicate is inverted by `!`" };
                self.report(Diagnostic::new(&INVALID_PREDICATE, sign, message).replace(
                    sign,
                    if is_inverted { "" } else { "!" },
                    false,
                ));
                return None;
            }
            return malformed(
                self,
                expr.span,
                format!("`{}` is not the name of a predicate variable", expr.span.of(self.text)),
            );
        };
        let control = match first.word.map(|w| w.of(self.text)) {
            None => PredicateControl::PerLane,
            Some(".any") => PredicateControl::Any,
            Some(".all") => PredicateControl::All,
            Some(other) => {
                let span = first.word.unwrap_or_default();
                let lower = other.to_ascii_lowercase();
                let mut diagnostic =
                    Diagnostic::new(&INVALID_PREDICATE, span, format!("`{other}` cannot follow a predicate"))
                        .note("only `.any` and `.all` can");
                if matches!(lower.as_str(), ".any" | ".all") {
                    diagnostic = diagnostic.replace(span, lower, true);
                }
                self.report(diagnostic);
                return None;
            }
        };
        let variable = self.use_variable(name)?;
        let row = self.program.variables[variable];
        if row.is(FLAG_OPEN) && self.program.fragment.as_ref().is_some_and(|f| f.is_vector) {
            return None;
        }
        if row.kind != VariableKind::Predicate {
            let message = format!("`{}` is {}, not a predicate", name.of(self.text), row.kind.variable());
            let place = self.program.variable_spans[variable].name;
            self.report(Diagnostic::new(&INVALID_PREDICATE, name, message).declared_at(place));
            return None;
        }
        Some(Predicate { variable, is_inverted, control })
    }

    /// Matches the operands from `first` on to the slots of `row`.
    fn slots(
        &mut self,
        row: &'static spec::Instruction,
        first: usize,
        instruction: &mut Instruction,
        spans: &InstructionSpans,
    ) {
        let n_reports = self.program.diagnostics.len();
        let n_in_parentheses = row.execution.n_operands();
        let slots = &row.operands[n_in_parentheses.min(row.operands.len())..];
        self.join_halves(slots, first);
        let given = self.parser.tree.operands.len() - first;
        let n_required = slots.iter().filter(|s| !s.optional && !s.variadic).count()
            + usize::from(slots.last().is_some_and(|s| s.variadic && !s.optional));
        if given != slots.len() && super::arity::is_plain(slots) {
            self.odd_operands(row, slots, first, instruction, spans);
            return;
        }
        let mut n_optional = given.saturating_sub(n_required);
        let mut next = first;
        for (i, slot) in slots.iter().enumerate() {
            let index = (n_in_parentheses + i) as u8;
            if slot.variadic {
                while next < self.parser.tree.operands.len() {
                    self.fill(slot, index, next);
                    next += 1;
                }
                break;
            }
            if slot.optional {
                if n_optional == 0 || !self.suits_optional(slot, next) && !self.are_in_place(&slots[i + 1..], next + 1)
                {
                    continue;
                }
                n_optional -= 1;
            }
            if next >= self.parser.tree.operands.len() {
                break;
            }
            if self.fill(slot, index, next) {
                // A second operand stood in the parentheses of this one; the slot after it takes it.
                continue;
            }
            next += 1;
        }
        let n_filled = self.program.operands.len()
            - instruction.operands().start
            - n_in_parentheses.min(self.program.operands.len() - instruction.operands().start);
        let has_wrong_number = next < self.parser.tree.operands.len() || n_filled < n_required;
        if has_wrong_number {
            // Which operand stands for which slot is not known.
            self.program.operands[instruction.operands().start..].fill(Operand::Broken);
        }
        if self.program.diagnostics.len() > n_reports {
            self.keep_one_misfit(n_reports, !has_wrong_number);
        }
        if next < self.parser.tree.operands.len() {
            instruction.is_broken = true;
            if !self.has_doubtful_mnemonic(self.parser.tree.operands.len() - next) {
                self.report_surplus(row, next, slots.len());
            }
        } else if n_filled < n_required {
            instruction.is_broken = true;
            if (given > 0 || !self.is_incomplete) && !self.has_doubtful_mnemonic(n_required - n_filled) {
                self.report_missing(row, slots, n_filled, spans);
            }
        }
        let operands = &self.program.operands[instruction.operands().start..];
        if operands.iter().any(|operand| matches!(operand, Operand::Broken)) {
            instruction.is_broken = true;
        }
    }

    /// An operand that is missing, too many or swapped makes those behind it misfit their slots: of the reports from
    /// `first` on that say so, only the first one stays, and none where the number of operands is reported.
    fn keep_one_misfit(&mut self, first: usize, mut keeps_next: bool) {
        let mut found = self.program.diagnostics.split_off(first);
        found.retain(|diagnostic| {
            let is_misfit = MISFITS.contains(&diagnostic.rule);
            !is_misfit || std::mem::replace(&mut keeps_next, false)
        });
        self.program.diagnostics.append(&mut found);
    }

    /// Whether the operand at `next` looks like what an optional slot takes. Optional slots in the middle of the text are
    /// plain numbers; those at the end take whatever is there.
    fn suits_optional(&self, slot: &OperandSlot, next: usize) -> bool {
        let Some(id) = self.parser.tree.operands.get(next) else { return false };
        let item = self.parser.tree.item(*id);
        if slot.kinds == spec::instruction::KindSet::of(&[spec::instruction::OperandKind::Number]) {
            return matches!(item.base, Base::Expr(e) if item.suffix.is_none() && matches!(self.parser.tree.expr(e).kind, ExprKind::Dec | ExprKind::Hex));
        }
        true
    }

    /// Reads one operand into a slot. Returns whether the item holds a second operand, which is left to the next slot.
    pub(super) fn fill(&mut self, slot: &'static OperandSlot, index: u8, place: usize) -> bool {
        let item = *self.parser.tree.item(self.parser.tree.operands[place]);
        if let Some((operand, spans, rest)) = self.split_handle(slot, &item) {
            self.push_operand(operand, spans, index);
            let rest = self.parser.tree.replace_operand(place, rest);
            debug_assert!(rest);
            return true;
        }
        let (operand, spans) = self.operand(slot, &item);
        self.push_operand(operand, spans, index);
        false
    }

    pub(super) fn push_operand(&mut self, operand: Operand, spans: OperandSpans, slot: u8) {
        self.program.operands.push(operand);
        self.program.operand_spans.push(spans);
        self.program.operand_slots.push(slot);
    }
}

/// Whether an instruction has an execution mask and size in its text.
pub(super) fn takes_exec(row: &spec::Instruction) -> bool {
    matches!(row.execution, Execution::MaskAndSize | Execution::BlockCount | Execution::OptionalSize)
}
