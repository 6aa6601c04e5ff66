//! Instructions of which parts are not known: what is wrong with a single operand or modifier, whatever stands beside it.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::alu::predicate::sel;
use crate::checks::context::{Context, Sink, View};
use crate::checks::operand::region;
use crate::checks::table::{self, exec_mask, exec_size, source_modifier, types};
use crate::checks::{lsc, predicate};
use crate::program::VariableId;
use crate::program::fragment::Fragment;
use crate::program::operand::Operand;
use crate::spec::family::Check;
use crate::spec::instruction::Custom;

/// Checks the operands and modifiers that are known.
pub fn check(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    if fragment.unread.is_empty() {
        return;
    }
    let modes = lsc::wide::Modes::of(cx);
    for (index, instruction) in &fragment.unread {
        let Some(view) = View::of(cx, *index, instruction) else { continue };
        let unknown = Unknown::of(fragment, view.spans.statement);
        if unknown.touches(view.spans.mnemonic) {
            continue;
        }
        let mut own = Sink::unbounded(cx.options);
        let first = fragment.forms.partition_point(|form| form.instruction < *index);
        let mut forms = fragment.forms[first..].iter().take_while(|form| form.instruction == *index).peekable();
        let mut message = lsc::message::Message::new(&view);
        let all = view.operands.iter().zip(view.operand_spans).zip(view.slots);
        for ((operand, spans), slot) in all {
            while forms.next_if(|form| form.whole < spans.whole).is_some() {}
            // Of an operand whose type or size is not known, either, the form is.
            let form = forms.next_if(|form| form.whole == spans.whole).map(|form| form.operand);
            let is_open = form.is_some();
            let operand = form.unwrap_or(*operand);
            message.take(&operand, spans, view.row.operands[usize::from(*slot)].kinds);
            if operand == Operand::Broken || unknown.may_move(spans.whole) {
                continue;
            }
            let slot = &view.row.operands[usize::from(*slot)];
            source_modifier::check(&view, &mut own, &operand, spans, slot);
            table::region::check(&view, &mut own, &operand, spans, slot);
            region::check(&view, &mut own, &operand, spans, slot);
            if !is_open {
                types::check(&view, &mut own, &operand, spans, slot);
            }
        }
        table::modifier::check(&view, &mut own);
        if view.row.has(Check::Selector) {
            sel(&view, &mut own);
        }
        if view.row.custom == Some(Custom::Lsc) {
            lsc::cache::check(&message, &modes, &mut own);
        }
        if !unknown.touches(view.spans.exec) {
            exec_mask::check(&view, &mut own);
            exec_size::check(&view, &mut own);
            if unknown.first_open.is_none() {
                predicate::check(&view, &mut own);
            }
        }
        own.diagnostics.retain(|finding| !unknown.decides(cx, finding));
        sink.diagnostics.append(&mut own.diagnostics);
        shape(message, &unknown, &modes, sink);
    }
}

/// Checks the shape of data, if all of it is known, whatever their name is.
fn shape(mut message: lsc::message::Message, unknown: &Unknown, modes: &lsc::wide::Modes, sink: &mut Sink) {
    let Some(data) = &mut message.data else { return };
    if unknown.is_in_word(data.spans.suffix) {
        return;
    }
    // The registers are not known.
    data.variable = VariableId::NULL;
    message.address = None;
    if unknown.touches(message.view.spans.exec) {
        message.lanes = None;
    }
    lsc::shape(&message, modes, sink);
}

/// The places of a statement that are not known.
struct Unknown {
    all: Vec<Span>,
    /// Where something stands that may be nothing, or more than one word: how many operands stand before those behind it is not
    /// known.
    first_open: Option<Span>,
}

impl Unknown {
    fn of(fragment: &Fragment, statement: Span) -> Self {
        let first = fragment.guessed_operands.partition_point(|guess| guess.span.start < statement.start);
        let guesses = fragment.guessed_operands[first..].iter().take_while(|guess| guess.span.start < statement.end);
        let first_open = guesses.clone().find(|guess| !guess.is_word).map(|guess| guess.span);
        let within = |places: &[Span]| {
            let first = places.partition_point(|place| place.start < statement.start);
            let own = places[first..].iter().take_while(|place| place.start < statement.end);
            own.copied().collect::<Vec<_>>()
        };
        let own = within(&fragment.guessed_sizes).into_iter().chain(within(&fragment.guessed_modifiers));
        Self { all: guesses.map(|guess| guess.span).chain(own).collect(), first_open }
    }

    fn touches(&self, place: Span) -> bool {
        self.all.iter().any(|span| place.start <= span.end && span.start <= place.end)
    }

    /// Whether parts of a word are not known, which may go on behind it.
    fn is_in_word(&self, word: Span) -> bool {
        self.all.iter().any(|span| word.start < span.end && span.start <= word.end)
    }

    /// Whether an operand may fill another slot than it seems to.
    fn may_move(&self, place: Span) -> bool {
        self.first_open.is_some_and(|open| open.start < place.end)
    }

    /// Whether a finding is about what is not known, or speaks of it.
    fn decides(&self, cx: &Context, finding: &Diagnostic) -> bool {
        let labels = std::iter::once(&finding.primary).chain(&finding.secondary);
        labels.clone().any(|label| self.touches(label.span))
            || self.all.iter().any(|span| finding.message.contains(cx.text(*span).trim_ascii()))
    }
}
