//! Barriers, alone and together.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::context::{Context, Sink, View};
use crate::checks::memory::svm::NEWER_SYNTAX;
use crate::checks::table;
use crate::checks::table::types::{UNSUPPORTED_TYPE, operand_type};
use crate::lower::arity::MISSING_OPERAND;
use crate::program::{InstructionIndex, Object, ObjectKind, Operand};
use crate::spec::Instruction;
use crate::spec::OperandName;
use crate::spec::family::Barrier;
use crate::spec::instruction::{Custom, Flow};
use crate::spec::{Type, TypeSet};
use rustc_hash::FxHashMap;

crate::declare_rule! {
    /// A barrier and a `wait` in one kernel. `wait` belongs to the execution model of a global thread space (media
    /// kernels), barriers to that of thread groups, and a kernel is started with one of them.
    ///
    /// ```visa bad
    /// wait 0x1:ub
    /// barrier
    /// ```
    /// ```visa good
    /// barrier
    /// ```
    pub MIXED_EXECUTION_MODELS = "mixed-execution-models", Warning, "WAIT"
}

crate::declare_rule! {
    /// A named barrier with the id 0 in a kernel that has ordinary or split barriers as well: these use the same hardware
    /// barrier.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// barrier
    /// nbarrier.signal 0x0:ub 0x4:ub
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// barrier
    /// nbarrier.signal 0x1:ub 0x4:ub
    /// nbarrier.wait 0x1:ub
    /// ```
    pub NAMED_BARRIER_ZERO = "named-barrier-zero", Warning, "NBARRIER"
}

crate::declare_rule! {
    /// Half of a split barrier without the other half: an `sbarrier.wait` for which the thread never signals, or a wait at
    /// a named barrier where the thread only produces.
    ///
    /// ```visa bad
    /// sbarrier.wait
    /// ```
    /// ```visa good
    /// sbarrier.signal
    /// sbarrier.wait
    /// ```
    pub UNPAIRED_BARRIER = "unpaired-barrier", Warning, "SBARRIER"
}

crate::declare_rule! {
    /// Signals of one named barrier with different numbers of threads, producers or consumers. All threads that take part
    /// in one phase of a barrier have to give the same numbers. Behind a wait the barrier may be used again, with others.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// .decl Px v_type=P num_elts=1
    /// cmp.eq (M1_NM, 1) Px %group_id_x(0,0)<0;1,0> 0x0:ud
    /// (Px) jmp (M1, 1) other
    /// nbarrier.signal 0x1:ub 0x4:ub
    /// jmp (M1, 1) both
    /// other:
    /// nbarrier.signal 0x1:ub 0x8:ub
    /// both:
    /// nbarrier.wait 0x1:ub
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// nbarrier.signal 0x1:ub 0x4:ub
    /// nbarrier.wait 0x1:ub
    /// nbarrier.signal 0x1:ub 0x8:ub
    /// nbarrier.wait 0x1:ub
    /// ```
    pub CONFLICTING_BARRIER_COUNTS = "conflicting-barrier-counts", Warning, "NBARRIER",
        help = "give each signal before the wait the same numbers"
}

/// Checks one barrier.
pub fn check(view: &View, sink: &mut Sink) {
    if !view.row.barrier.is_some_and(Barrier::is_named) {
        return;
    }
    for (operand, spans, slot) in view.each_operand() {
        // Small immediates of other integer types are what compilers print; a register is read as bytes.
        if !matches!(operand, Operand::General { .. } | Operand::Indirect { .. }) || slot.name == OperandName::TYPE {
            continue;
        }
        let Some(t) = operand_type(view, operand).filter(|t| t.is_integer() && t.bytes() != 1) else { continue };
        let written = view.text(spans.whole);
        let message = format!(
            "`{written}` has the type `{}`, but a register as the operand {} of `{}` has to hold bytes",
            t.text(),
            slot.name,
            view.row.mnemonic
        );
        let diagnostic = Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message)
            .label(format!("expected {}", TypeSet::of(&[Type::UB]).describe()));
        sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
    }
    if view.row.barrier == Some(Barrier::NamedSignal) && view.operands.len() == 3 {
        sink.report(
            Diagnostic::new(&MISSING_OPERAND, view.operand_spans[2].whole, format!("`{}` takes two operands or four, not three", view.row.mnemonic))
                .label("nothing follows")
                .help("they are the id and the number of threads, or the id, the type and the numbers of producers and consumers"),
        );
    }
    if view.row.barrier == Some(Barrier::NamedSignal) && view.operands.len() == 4 {
        let place = view.operand_spans[0].whole.to(view.operand_spans[3].whole);
        let message = format!("older assemblers know `{}` with two operands only", view.row.mnemonic);
        sink.report(
            Diagnostic::new(&NEWER_SYNTAX, place, message)
                .note("they are the id and the number of threads that both produce and consume"),
        );
    }
}

/// An instruction of the kernel, and where its operand of interest stands.
type Place = Option<Span>;

/// What a kernel has of barriers.
#[derive(Default)]
struct Barriers {
    /// The first barrier without a name, whole or split.
    ordinary: Place,
    /// The first instruction of the thread-group model.
    group: Place,
    /// The first `wait`.
    wait: Place,
    /// The first named barrier with the id 0.
    zero: Place,
    /// The first `sbarrier.wait`, until a signal is seen.
    split_wait: Place,
    has_split_signal: bool,
    /// Whether the kernel may do more than its text shows: in another function, or by an unknown instruction.
    has_unknown_code: bool,
    /// Ids at which this kernel is a producer, a consumer, and the waits at them.
    produces: u32,
    consumes: u32,
    waits: Vec<(u32, Span)>,
    has_unknown_id: bool,
    agreement: Agreement,
}

/// Producers and consumers of a named barrier, and where the text says so.
type Counts = [Option<(u64, Span)>; 2];

/// Checks the barriers of every kernel and function.
pub fn check_program(cx: &Context, sink: &mut Sink) {
    for object in cx.program.objects.iter() {
        let found = collect(cx, object);
        if let (Some(wait), Some(group)) = (found.wait, found.group) {
            let (later, earlier) = if wait > group { (wait, group) } else { (group, wait) };
            let message =
                format!("`{}` and `{}` belong to different execution models", cx.text(later), cx.text(earlier));
            sink.report(
                Diagnostic::new(&MIXED_EXECUTION_MODELS, later, message)
                    .also(earlier, "in the same kernel")
                    .note("`wait` is for a global thread space, barriers are for thread groups"),
            );
        }
        if let (Some(zero), Some(barrier)) = (found.zero, found.ordinary) {
            report_zero(cx, sink, zero, barrier);
        }
        found.agreement.report(cx, sink);
        if object.kind != ObjectKind::Kernel || found.has_unknown_code || object.has_broken_lines {
            continue;
        }
        if let Some(wait) = found.split_wait.filter(|_| !found.has_split_signal) {
            sink.report(
                Diagnostic::new(&UNPAIRED_BARRIER, wait, "this kernel waits at a split barrier, but never signals")
                    .help("put `sbarrier.signal` before it"),
            );
        }
        for (id, place) in found.waits.iter().filter(|_| !found.has_unknown_id) {
            let bit = 1 << id;
            if found.produces & bit != 0 && found.consumes & bit == 0 {
                let message = format!("this thread only produces at the named barrier {id}, so it must not wait there");
                sink.report(
                    Diagnostic::new(&UNPAIRED_BARRIER, *place, message)
                        .note("only consumers wait: type 0 or 2, or the form with two operands"),
                );
            }
        }
    }
}

/// Whether the thread waits there for others, or may do so in the code that it calls. What it waits for at one barrier may
/// show that another one is free, as the two barriers of a producer and a consumer do.
fn ends_phase(row: &Instruction) -> bool {
    let waits = row.barrier.is_some_and(|barrier| !matches!(barrier, Barrier::NamedSignal | Barrier::SplitSignal));
    waits || matches!(row.flow, Flow::Call | Flow::FunctionCall)
}

fn collect(cx: &Context, object: &Object) -> Barriers {
    let mut found = Barriers::default();
    for (index, instruction) in cx.program.instructions_in(object) {
        let Some(row) = cx.program.row(instruction) else {
            found.has_unknown_code = true;
            found.agreement.end_phase();
            continue;
        };
        found.has_unknown_code |= row.flow == Flow::FunctionCall;
        if ends_phase(row) {
            found.agreement.end_phase();
        }
        if row.custom != Some(Custom::Barrier) {
            continue;
        }
        if instruction.is_broken {
            // It may be the half that is missing.
            found.has_unknown_code = true;
            continue;
        }
        let Some(view) = View::new(cx, index) else { continue };
        let place = view.spans.mnemonic;
        match row.barrier {
            Some(Barrier::Thread) => {
                // The mask 0 is the assembler's default and clears no dependency: it does not show that `wait` is meant.
                let is_default = matches!(
                    view.operand(OperandName::MASK),
                    Some((Operand::Immediate { bits: 0, element_type: Type::UD }, _))
                );
                if !is_default {
                    found.wait.get_or_insert(place);
                }
                continue;
            }
            Some(Barrier::Group) => {
                found.ordinary.get_or_insert(place);
            }
            Some(Barrier::SplitSignal) => {
                found.ordinary.get_or_insert(place);
                found.has_split_signal = true;
            }
            Some(Barrier::SplitWait) => {
                found.ordinary.get_or_insert(place);
                found.split_wait.get_or_insert(place);
            }
            Some(Barrier::NamedSignal | Barrier::NamedWait) => named(&view, &mut found),
            None => continue,
        }
        found.group.get_or_insert(place);
    }
    found
}

/// An integer immediate, with its place.
fn number_of(view: &View, operand: usize) -> Option<(u64, Span)> {
    match (view.operands.get(operand)?, view.operand_spans.get(operand)?) {
        (Operand::Immediate { bits, element_type }, spans) if element_type.is_integer() => Some((*bits, spans.whole)),
        _ => None,
    }
}

/// What a signal of a named barrier gives: its id, and the numbers of producers and consumers. `number` gives those of
/// its operands.
fn signal(view: &View, number: impl Fn(usize) -> Option<(u64, Span)>) -> Option<((u64, Span), Counts)> {
    let id = number(0).filter(|(id, _)| *id < 32)?;
    let counts = match view.operands.len() {
        2 => [number(1); 2],
        _ => [number(2), number(3)],
    };
    Some((id, counts))
}

/// What a register is known to hold.
#[derive(PartialEq, Eq)]
pub enum Held {
    /// One number.
    Always(u64),
    /// Each of these on some path.
    OnPaths(Vec<u64>),
}

/// Numbers that two signals of one barrier give differently.
struct Conflict {
    id: u64,
    place: Span,
    /// The place of the first one.
    first: Span,
    /// Whether they differ on one of the paths only.
    is_on_one_path: bool,
}

/// The numbers of the first signals since a wait, and what later ones say else.
#[derive(Default)]
struct Agreement {
    /// The numbers that the first signal of each id since a wait gives, and where.
    counts: FxHashMap<u64, Counts>,
    /// Numbers that signals since a wait give on some paths: the id, producers or consumers, the numbers and the place.
    on_paths: Vec<(u64, usize, Vec<u64>, Span)>,
    /// Numbers that differ from those.
    conflicts: Vec<Conflict>,
}

impl Agreement {
    /// Takes note of a signal.
    fn note(&mut self, id: u64, counts: Counts) {
        let first = self.counts.entry(id).or_insert(counts);
        for (first, own) in first.iter_mut().zip(counts) {
            match (*first, own) {
                (Some((a, first)), Some((b, place))) if a != b => {
                    self.conflicts.push(Conflict { id, place, first, is_on_one_path: false });
                    break;
                }
                (None, Some(_)) => *first = own,
                _ => {}
            }
        }
    }

    /// Takes note of numbers that a signal gives on some paths; `counts` are those that it always gives.
    fn note_on_paths(&mut self, id: u64, counts: Counts, own: Vec<(usize, Vec<u64>, Span)>) {
        let differ = |several: &[u64], one: u64| several.iter().any(|number| *number != one);
        let always = counts.iter().enumerate().filter_map(|(i, count)| Some((i, (*count)?)));
        let later = always.filter_map(|(i, (one, place))| {
            let mut before = self.on_paths.iter().filter(|(other, j, ..)| *other == id && *j == i);
            let (.., first) = before.find(|(_, _, several, _)| differ(several, one))?;
            Some((place, *first))
        });
        let first_of = |i: usize| self.counts.get(&id).and_then(|counts| counts[i]);
        let earlier = own.iter().filter_map(|(i, several, place)| {
            let (one, first) = first_of(*i)?;
            differ(several, one).then_some((*place, first))
        });
        if let Some((place, first)) = later.chain(earlier).next() {
            self.conflicts.push(Conflict { id, place, first, is_on_one_path: true });
        }
        self.on_paths.extend(own.into_iter().map(|(i, several, place)| (id, i, several, place)));
    }

    /// Later signals may belong to another phase.
    fn end_phase(&mut self) {
        self.counts.clear();
        self.on_paths.clear();
    }

    fn report(&self, cx: &Context, sink: &mut Sink) {
        for Conflict { id, place, first, is_on_one_path } in &self.conflicts {
            let on_path = if *is_on_one_path { " on one of the paths" } else { "" };
            let message = format!(
                "`{}` threads at the named barrier {id}{on_path}, and `{}` before: all signals of one phase have to give the same number",
                cx.text(*place),
                cx.text(*first)
            );
            sink.report(Diagnostic::new(&CONFLICTING_BARRIER_COUNTS, *place, message).also(*first, "the other number"));
        }
    }
}

/// Reports a named barrier with the id 0 beside one without a name.
fn report_zero(cx: &Context, sink: &mut Sink, zero: Span, barrier: Span) {
    let message = format!("the id 0 is that of `{}`, which this kernel uses as well", cx.text(barrier));
    sink.report(
        Diagnostic::new(&NAMED_BARRIER_ZERO, zero, message)
            .also(barrier, "the barrier without a name")
            .help("take another id"),
    );
}

/// Reports signals of one named barrier that give different numbers, and the id 0 beside barriers without a name, where
/// registers hold some of these; `held` gives what an operand of an instruction is known to hold.
pub fn held_numbers(cx: &Context, sink: &mut Sink, object: &Object, held: impl Fn(InstructionIndex, usize) -> Held) {
    let mut agreement = Agreement::default();
    let (mut ordinary, mut zero): (Place, Place) = (None, None);
    for (index, _) in cx.program.instructions_in(object) {
        let Some(view) = View::new(cx, index) else { continue };
        if ends_phase(view.row) {
            agreement.end_phase();
        }
        if matches!(view.row.barrier, Some(Barrier::Group | Barrier::SplitSignal | Barrier::SplitWait)) {
            ordinary.get_or_insert(view.spans.mnemonic);
        }
        if view.row.barrier != Some(Barrier::NamedSignal) || view.instruction.is_broken {
            continue;
        }
        if number_of(&view, 0).is_none() && held(index, 0) == Held::Always(0) {
            zero.get_or_insert(view.operand_spans[0].whole);
        }
        let number = |place: usize| {
            let spans = view.operand_spans.get(place)?;
            number_of(&view, place).or_else(|| match held(index, place) {
                Held::Always(one) => Some((one, spans.whole)),
                Held::OnPaths(_) => None,
            })
        };
        if let Some(((id, _), counts)) = signal(&view, number) {
            let first = if view.operands.len() == 2 { [1, 1] } else { [2, 3] };
            let open = first.into_iter().enumerate().filter(|(i, _)| counts[*i].is_none());
            let on_paths = open.filter_map(|(i, place)| match held(index, place) {
                Held::OnPaths(several) => Some((i, several, view.operand_spans.get(place)?.whole)),
                Held::Always(_) => None,
            });
            agreement.note_on_paths(id, counts, on_paths.collect());
            agreement.note(id, counts);
        }
    }
    agreement.conflicts.retain(|conflict| !sink.has(&CONFLICTING_BARRIER_COUNTS, conflict.place));
    agreement.report(cx, sink);
    if let (Some(zero), Some(ordinary)) = (zero, ordinary) {
        report_zero(cx, sink, zero, ordinary);
    }
}

/// Takes note of a named barrier.
fn named(view: &View, found: &mut Barriers) {
    let number = |name| match view.operand(name) {
        Some((Operand::Immediate { bits, .. }, spans)) => Some((*bits, spans.whole)),
        _ => None,
    };
    let Some((id, place)) = number(OperandName::ID).filter(|(id, _)| *id < 32) else {
        found.has_unknown_id = true;
        return;
    };
    if id == 0 {
        found.zero.get_or_insert(place);
    }
    if view.row.barrier == Some(Barrier::NamedSignal)
        && let Some((_, counts)) = signal(view, |operand| number_of(view, operand))
    {
        found.agreement.note(id, counts);
    }
    let bit = 1 << id;
    if view.row.barrier == Some(Barrier::NamedWait) {
        found.waits.push((id as u32, place));
    } else if view.operands.len() < 4 {
        found.consumes |= bit;
    } else if number(OperandName::TYPE).is_some_and(|(t, _)| t == 1) {
        found.produces |= bit;
    } else {
        found.consumes |= bit;
    }
}
