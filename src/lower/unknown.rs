//! Words in the place of a mnemonic that are none, and what is meant by them.

use super::Lowering;
use super::instruction::{INVALID_PREDICATE, MAX_MNEMONIC_BYTES, UNKNOWN_INSTRUCTION};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::spec;
use crate::spec::instruction::Execution;
use crate::spec::predefined::VariableKind;

/// Most instructions that a finding about an unknown one names.
const MAX_MEANT: usize = 6;

/// The mnemonics of instructions that are one word.
fn alone() -> impl Iterator<Item = &'static str> {
    let is_alone = |row: &&spec::Instruction| row.operands.is_empty() && row.execution == Execution::None;
    spec::instructions().iter().filter(is_alone).map(|row| row.mnemonic)
}

impl Lowering<'_> {
    /// Reports a word that is no mnemonic.
    pub(super) fn report_unknown(&mut self, mnemonic: Span, word: &str) {
        if self.report_operand_first(mnemonic, word) {
            return;
        }
        let mut diagnostic = Diagnostic::new(&UNKNOWN_INSTRUCTION, mnemonic, format!("unknown instruction `{word}`"));
        let lower = word.to_ascii_lowercase();
        let exact = spec::lookup(&lower).is_some();
        let dotted: Vec<&str> = spec::instructions()
            .iter()
            .map(|r| r.mnemonic)
            .filter(|m| m.split_once('.').is_some_and(|(front, _)| front == word))
            .collect();
        let is_alone = self.parser.tree.operands.is_empty() && self.parser.tree.modifiers.is_empty();
        let starts_line = mnemonic.start == 0 || self.text.as_bytes()[mnemonic.start as usize - 1] == b'\n';
        let is_label = || spec::meant_by(word).is_empty() && closest(word, alone()).is_none();
        if is_alone && !exact && dotted.is_empty() && starts_line && is_label() {
            // Branches to it are right.
            self.label(mnemonic, false);
            diagnostic = diagnostic.help(format!("a label ends in a colon: `{word}:`")).replace(
                Span::at(mnemonic.end),
                ":",
                false,
            );
        } else if exact {
            diagnostic = diagnostic.note("mnemonics are written in lower case").replace(mnemonic, lower, true);
        } else if !dotted.is_empty() {
            let all = spec::join_or(dotted.iter().map(|m| format!("`{m}`")));
            let second = self.parser.tree.modifiers.first().map(|m| m.span).filter(|m| m.start == mnemonic.end);
            if let Some(whole) = second.map(|m| mnemonic.to(m)) {
                let written = whole.of(self.text);
                let message = format!("unknown instruction `{written}`");
                diagnostic = Diagnostic::new(&UNKNOWN_INSTRUCTION, whole, message);
                if let Some(similar) = closest(written, dotted.iter().copied()) {
                    diagnostic = diagnostic.replace(whole, similar, false);
                }
            }
            diagnostic = diagnostic.help(format!("write {all}, without blanks"));
        } else if let Some(left) = self.comparisons_left.checked_sub(spec::instructions().len() as u32) {
            self.comparisons_left = left;
            let all = spec::instructions().iter().map(|r| r.mnemonic);
            let meant = spec::meant_by(word);
            let named = |names: &[&str]| spec::join_or(names.iter().map(|m| format!("`{m}`")));
            if let Some((place, separated)) = self.other_separator(mnemonic, word) {
                let written = place.of(self.text);
                self.report(
                    Diagnostic::new(&UNKNOWN_INSTRUCTION, place, format!("unknown instruction `{written}`"))
                        .replace(place, separated, false),
                );
                return;
            }
            match meant.as_slice() {
                [] => {
                    if let Some(similar) = closest(word, all) {
                        diagnostic =
                            diagnostic.help(format!("did you mean `{similar}`?")).replace(mnemonic, similar, false);
                    }
                }
                [one] => diagnostic = diagnostic.help(format!("write `{one}`")).replace(mnemonic, *one, false),
                few if few.len() <= MAX_MEANT => diagnostic = diagnostic.help(format!("write {}", named(few))),
                many => {
                    diagnostic = diagnostic.help(format!(
                        "`visa-lint explain {word}` lists the {} instructions of this family, such as {}",
                        many.len(),
                        spec::join_and(many[..2].iter().map(|word| format!("`{word}`")))
                    ));
                }
            }
        }
        self.report(diagnostic);
    }

    /// What is meant by words that are joined by another sign than that of the text: `lsc.load`, `dword_atomic_add`,
    /// `go to`; with the place of all that was written.
    fn other_separator(&self, mnemonic: Span, word: &str) -> Option<(Span, String)> {
        let tree = &self.parser.tree;
        let first = tree.modifiers.first().map(|m| m.span).filter(|m| m.start == mnemonic.end);
        if let Some(first) = first.filter(|m| word.len() + (m.len() as usize) < MAX_MNEMONIC_BYTES) {
            let joined = format!("{word}_{}", &first.of(self.text)[1..]);
            if spec::lookup(&joined).is_some() {
                return Some((mnemonic.to(first), joined));
            }
        }
        let second = tree.operands.first().map(|id| tree.item(*id).span);
        if let Some(second) = second.filter(|s| first.is_none() && word.len() + (s.len() as usize) < MAX_MNEMONIC_BYTES)
        {
            let joined = format!("{word}{}", second.of(self.text));
            if spec::lookup(&joined).is_some() {
                return Some((mnemonic.to(second), joined));
            }
        }
        word.rmatch_indices('_').find_map(|(place, _)| {
            let (front, back) = (&word[..place], &word[place + 1..]);
            let dotted = format!("{front}.{back}");
            let has_it = |row: &spec::Instruction| {
                row.modifiers.iter().flat_map(|m| m.values).any(|v| v.text == back)
                    || back == "sat" && row.saturate != spec::instruction::Saturation::Forbidden
            };
            let is_one =
                spec::lookup_dotted(&dotted).is_some() || spec::lookup(front).is_some_and(|id| has_it(id.row()));
            is_one.then_some((mnemonic, dotted))
        })
    }

    /// Reports a line that begins with a variable instead of a mnemonic. Returns whether it does.
    fn report_operand_first(&mut self, word_span: Span, word: &str) -> bool {
        let Some(variable) = self.find_variable(word) else { return false };
        let kind = self.program.variables[variable].kind;
        let next = self.parser.tree.operands.first().map(|id| self.parser.tree.item(*id).span);
        let next_word = next.map_or("", |s| s.of(self.text));
        let length = next_word.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let is_mnemonic = spec::lookup(&next_word[..length]).is_some();
        let diagnostic = if kind == VariableKind::Predicate && is_mnemonic {
            let control = self.parser.tree.modifiers.first().map_or(word_span, |m| word_span.to(m.span));
            Diagnostic::new(&INVALID_PREDICATE, control, "a predicate stands in parentheses").replace(
                control,
                format!("({})", control.of(self.text)),
                true,
            )
        } else {
            let message = format!("a line begins with a mnemonic, and `{word}` is a variable");
            Diagnostic::new(&UNKNOWN_INSTRUCTION, word_span, message)
        };
        self.report(diagnostic);
        true
    }
}
