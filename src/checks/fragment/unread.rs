//! Instructions of which parts are not known: what is wrong at every execution size, or with a single operand or modifier,
//! whatever stands beside it.

use super::operand::check_form;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::alu::overlap::OVERLAPPING_OPERANDS;
use crate::checks::alu::predicate::sel;
use crate::checks::context::{Context, Sink, View};
use crate::checks::operand::{addresses, bounds, offset, predefined, region};
use crate::checks::table::bytes::OPERAND_OUT_OF_BOUNDS;
use crate::checks::table::{self, exec_mask, exec_size, source_modifier, types};
use crate::checks::{check_view, lsc, predicate};
use crate::program::fragment::{Form, Fragment};
use crate::program::operand::Operand;
use crate::program::variable::FLAG_ENLARGED;
use crate::program::{InstructionIndex, VariableId};
use crate::spec::family::Check;
use crate::spec::instruction::{Custom, Sizes};

/// Checks what is known.
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
        if unknown.names.is_empty() {
            at_every_size(&view, fragment, &unknown, &modes, sink);
        } else {
            beside_unknown(&view, fragment, &unknown, &modes, sink);
        }
    }
}

/// Checks an instruction of which only the execution size is not known: what is wrong with every size that it can have.
fn at_every_size(view: &View, fragment: &Fragment, unknown: &Unknown, modes: &lsc::wide::Modes, sink: &mut Sink) {
    let cx = view.cx;
    let mut common: Option<Vec<Diagnostic>> = None;
    let is_mask_known = !unknown.touches(view.spans.mask);
    let masks = [false, true].into_iter().filter(|no_mask| !is_mask_known || *no_mask == view.instruction.no_mask);
    let all = masks.flat_map(|no_mask| Sizes::ALL.iter().map(move |exec_size| (no_mask, exec_size as u8)));
    for (no_mask, exec_size) in all {
        let mut instruction = *view.instruction;
        (instruction.no_mask, instruction.exec_size) = (no_mask, exec_size);
        let Some(view) = View::of(cx, view.index, &instruction).filter(exec_size::is_supported) else { continue };
        let mut own = Sink::unbounded(cx.options);
        check_view(&view, modes, &mut own, &());
        forms_of(fragment, view.index).for_each(|form| check_form(&view, form, &mut own));
        let found = own.diagnostics;
        common = Some(match common {
            None => found,
            Some(mut common) => {
                common.retain_mut(|finding| found.iter().any(|other| is_same(finding, other)));
                common
            }
        });
        if common.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
    }
    // Of declarations that are filled in, how much variables share is not known.
    let is_filled_in = |variable: VariableId| cx.program.variables[variable].is(FLAG_ENLARGED);
    let is_shared = |finding: &Diagnostic| {
        finding.rule == &OVERLAPPING_OPERANDS && view.operands.iter().filter_map(Operand::variable).any(is_filled_in)
    };
    let mut common = common.unwrap_or_default();
    common.retain(|finding| !unknown.decides(cx, finding) && !is_shared(finding));
    sink.diagnostics.append(&mut common);
}

/// Whether a finding at the smallest size holds at another one, where `other` was found. What does not hold there is left out.
fn is_same(finding: &mut Diagnostic, other: &Diagnostic) -> bool {
    // More lanes reach further.
    let is_said = finding.rule == &OPERAND_OUT_OF_BOUNDS || finding.message == other.message;
    if finding.rule != other.rule || finding.primary != other.primary || !is_said {
        return false;
    }
    finding.help = finding.help.take().filter(|help| other.help.as_ref() == Some(help));
    finding.fix = finding.fix.take().filter(|fix| other.fix.as_ref() == Some(fix));
    finding.secondary.retain(|label| other.secondary.contains(label));
    finding.notes.retain(|note| other.notes.contains(note));
    true
}

/// Checks the operands and modifiers that are known, whatever stands beside them.
fn beside_unknown(view: &View, fragment: &Fragment, unknown: &Unknown, modes: &lsc::wide::Modes, sink: &mut Sink) {
    let cx = view.cx;
    // Where the size is not known, at least one lane takes part.
    let mut least = *view.instruction;
    if unknown.touches(view.spans.exec) {
        least.exec_size = 1;
    }
    let Some(reached) = View::of(cx, view.index, &least) else { return };
    let mut own = Sink::unbounded(cx.options);
    let mut apart = Sink::unbounded(cx.options);
    let mut forms = forms_of(fragment, view.index).peekable();
    let mut message = lsc::message::Message::new(view);
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
        source_modifier::check(view, &mut own, &operand, spans, slot);
        table::region::check(view, &mut own, &operand, spans, slot);
        let is_sound = region::check(view, &mut own, &operand, spans, slot)
            && offset::check(&reached, &mut apart, &operand, spans)
            && predefined::check(&reached, &mut apart, &operand, spans, slot);
        // How much a slot with elements of its own takes, modifiers say as well.
        if is_sound && !slot.has_own_elements() {
            addresses::check(&reached, &mut apart, &operand, spans, slot);
            bounds::check(&reached, &mut apart, &operand, spans, slot);
        }
        if !is_open {
            types::check(view, &mut own, &operand, spans, slot);
        }
    }
    table::modifier::check(view, &mut own);
    if view.row.has(Check::Selector) {
        sel(view, &mut own);
    }
    if view.row.custom == Some(Custom::Lsc) {
        lsc::cache::check(&message, modes, &mut own);
    }
    if !unknown.touches(view.spans.exec) {
        exec_mask::check(view, &mut own);
        exec_size::check(view, &mut own);
        if unknown.first_open.is_none() {
            predicate::check(view, &mut own);
        }
    }
    own.diagnostics.retain(|finding| !unknown.decides(cx, finding) && !unknown.is_size_named(cx, finding));
    if least.exec_size != view.instruction.exec_size {
        // What one lane needs is too little.
        apart.diagnostics.iter_mut().for_each(|finding| (finding.help, finding.fix) = (None, None));
    }
    apart.diagnostics.retain(|finding| !unknown.decides(cx, finding));
    sink.diagnostics.append(&mut own.diagnostics);
    sink.diagnostics.append(&mut apart.diagnostics);
    shape(message, unknown, modes, sink);
}

/// The operands of an instruction whose type or size is not known, in the order of the text.
fn forms_of(fragment: &Fragment, instruction: InstructionIndex) -> impl Iterator<Item = &Form> {
    let first = fragment.forms.partition_point(|form| form.instruction < instruction);
    fragment.forms[first..].iter().take_while(move |form| form.instruction == instruction)
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
    names: Vec<Span>,
    /// Where something stands that may be nothing, or more than one word: how many operands stand before those behind it is not
    /// known.
    first_open: Option<Span>,
    /// Those that are execution sizes.
    sizes: Vec<Span>,
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
        let sizes = within(&fragment.guessed_sizes);
        let names = guesses.map(|guess| guess.span).chain(within(&fragment.guessed_modifiers));
        Self { names: names.collect(), first_open, sizes }
    }

    fn all(&self) -> impl Iterator<Item = Span> {
        self.names.iter().chain(&self.sizes).copied()
    }

    fn touches(&self, place: Span) -> bool {
        self.all().any(|span| place.start <= span.end && span.start <= place.end)
    }

    /// Whether parts of a word are not known, which may go on behind it.
    fn is_in_word(&self, word: Span) -> bool {
        self.all().any(|span| word.start < span.end && span.start <= word.end)
    }

    /// Whether an operand may fill another slot than it seems to.
    fn may_move(&self, place: Span) -> bool {
        self.first_open.is_some_and(|open| open.start < place.end)
    }

    /// Whether a finding is about what is not known, or names it.
    fn decides(&self, cx: &Context, finding: &Diagnostic) -> bool {
        let labels = std::iter::once(&finding.primary).chain(&finding.secondary);
        labels.clone().any(|label| self.touches(label.span)) || speaks_of(cx, finding, &self.names)
    }

    /// Whether a finding may name an execution size that is not known.
    fn is_size_named(&self, cx: &Context, finding: &Diagnostic) -> bool {
        speaks_of(cx, finding, &self.sizes)
    }
}

/// Whether the message of a finding holds one of these texts.
fn speaks_of(cx: &Context, finding: &Diagnostic, places: &[Span]) -> bool {
    places.iter().any(|span| finding.message.contains(cx.text(*span).trim_ascii()))
}
