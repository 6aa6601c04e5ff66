//! What is claimed of a program: each file reads states and messages and records facts of a few kinds. Nothing here changes
//! what a state holds.
//!
//! See docs/abstract-execution.md, "What is claimed".

mod barrier;
pub mod bounds;
pub mod endless;
pub mod facts;
mod interface;
pub mod look;
mod message;
pub mod order;
pub mod overlap;
mod payload;
pub mod races;
pub mod steps;
pub mod touched;
mod undefined;
mod urb;
mod used;
mod value;
pub mod visits;
mod writers;

use crate::interp::domain::Value;
use crate::interp::domain::cases::{Case, Splits};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::barriers::KnownSignal;
use crate::interp::state::{Path, Reader, Undefined};
use crate::interp::transfer::call::Numbers;
use crate::interp::transfer::message::Message;
use crate::interp::transfer::{Effects, Observed, relevant};
use crate::program::{InstructionIndex, View};
use crate::spec::instruction::{Flow, OperandKind};
use facts::{Fact, FactKind, Facts};
use look::Look;
use races::RaceLog;
use rustc_hash::FxHashMap;
use used::Used;

/// Most instructions that are followed back to the first one that has read an undefined value.
const MAX_PASSED_ON: u32 = 64;

/// What is recorded of an execution.
#[derive(Default)]
pub struct Record {
    /// What was found.
    pub facts: Facts,
    /// The source that is asked about.
    pub look: Option<Look>,
    /// What threads access, if they are compared.
    pub(in crate::interp) races: Option<RaceLog>,
    /// What is asked of threads that meet others.
    pub(in crate::interp) watch: Option<steps::Watch>,
    /// Which instructions wrote what others have read.
    pub(in crate::interp) writers: writers::Writers,
    /// Cases that were looked at to decide about messages.
    pub(in crate::interp) n_cases: u32,
    /// Instructions that pass on what a message left undefined, with the place of the source.
    pub(in crate::interp) passed_on: FxHashMap<InstructionIndex, (usize, Undefined)>,
    /// The path that what is recorded is about, if that is not every execution of the instruction.
    pub(in crate::interp) path: Option<Path>,
    /// The condition of all lanes where a pass of a loop began that is known to come, or a call of a subroutine.
    pub(in crate::interp) pass: Option<Condition>,
    /// How many calls of functions lead here.
    pub(in crate::interp) call_depth: u32,
    /// What holds wherever a function returns, once it has returned.
    pub(in crate::interp) returned: Option<Returned>,
    /// Of a function, whether it is known at which barriers its caller has signalled.
    pub(in crate::interp) knows_signals: bool,
}

impl Record {
    /// Whether threads are compared: facts about one thread alone come from another execution.
    pub(in crate::interp) const fn compares_threads(&self) -> bool {
        self.races.is_some()
    }

    /// Records reads of what is undefined by instructions that pass it on to nothing: nothing cuts their results off.
    pub(in crate::interp) fn report_unused_results(&mut self, reader: &Reader) {
        if self.passed_on.is_empty() {
            return;
        }
        let used = Used::by(reader, |index| !self.passed_on.contains_key(&index));
        for (index, (place, undefined)) in self.passed_on.clone() {
            let Some(view) = View::new(reader.cx().program, index) else { continue };
            let Some((at, _)) = reader.direct_location(&view.operands[0]) else { continue };
            let is_used = (0..view.n_lanes()).any(|lane| {
                let start = at.start_of(lane);
                usize::try_from(start).is_ok_and(|start| used.has_reader(at.root, start..start + usize::from(at.bytes)))
            });
            if !is_used {
                self.report_undefined(index, place, (undefined, None));
            }
        }
    }

    /// Records that an instruction reads what is undefined: at the first one that has read it, if others have only passed it
    /// on since.
    fn report_undefined(&mut self, index: InstructionIndex, place: usize, (undefined, byte): (Undefined, Option<u32>)) {
        let (mut instruction, mut place, mut undefined, mut byte) = (index, place, undefined, byte);
        for _ in 0..MAX_PASSED_ON {
            let Some(left_by) = undefined.left_by else { break };
            let Some(passed) = self.passed_on.get(&left_by) else { break };
            instruction = left_by;
            ((place, undefined), byte) = (*passed, None);
        }
        let trail = undefined.left_by.into_iter().collect();
        let kind = FactKind::Observed(Observed::UndefinedVariable(undefined, byte));
        self.facts.add(Fact { trail, ..Fact::new(instruction, Some(place as u8), kind) });
    }
}

/// What a function gives back to its caller, and leaves behind.
#[derive(Default)]
pub struct Returned {
    /// The known numbers.
    pub numbers: Numbers,
    /// What is signalled at barriers, if that is known.
    pub signals: Option<Vec<KnownSignal>>,
}

/// Records facts about a state and the effects of an instruction. It has a [`Reader`], which cannot change the state.
pub struct Claims<'m, 'p> {
    /// The state, to be read.
    pub reader: &'m mut Reader<'p>,
    /// What is recorded.
    pub record: &'m mut Record,
}

impl<'p> Claims<'_, 'p> {
    /// Records facts about an instruction, before its effects have happened.
    pub fn look_at(&mut self, view: &View<'p>, effects: &mut Effects) {
        self.note(view, effects);
        let Effects { messages, exec_mask, .. } = &*effects;
        if view.row.flow == Flow::FunctionCall {
            self.check_payloads(view, &[], exec_mask);
            self.check_arguments(view);
        } else if view.row.operation.is_some() {
            // Other than that, what it computes is looked at where it is used.
            self.watch_result(view, effects);
        } else if relevant::is_elementwise(view) {
            self.check_denormals(view);
        } else if exec_mask.all_false() {
            // No lane sends anything.
        } else if view.row.touches_memory() {
            self.look_at_messages(view, messages, exec_mask);
        } else {
            self.check_payloads(view, &[], exec_mask);
        }
    }

    /// Records what an instruction reads, loads and comes across.
    pub fn note(&mut self, view: &View<'p>, effects: &mut Effects) {
        self.record.writers.note(self.reader.cx().object, view, effects.writers);
        if !effects.observed.is_empty() {
            self.report_observed(view, std::mem::take(&mut effects.observed));
        }
        if let Some(passed_on) = effects.passed_on {
            self.record.passed_on.entry(view.index).or_insert(passed_on);
        }
        if !effects.loaded.is_empty() {
            self.note_loaded(view, std::mem::take(&mut effects.loaded));
        }
    }

    fn look_at_messages(&mut self, view: &View<'p>, messages: &[Message], exec_mask: &Lanes<Condition>) {
        if self.record.compares_threads() {
            if messages.is_empty() && !view.row.accesses.is_empty() {
                self.note_open(view.index);
            }
            for message in messages {
                self.note_touched(view, message);
                self.note_accesses(view, message);
            }
            return;
        }
        if messages.is_empty() {
            self.note_opaque(view);
        }
        for message in messages {
            let learned = self.learned_message(message);
            let message = learned.as_ref().unwrap_or(message);
            self.check_message(view, message);
            self.check_overlap(view, message);
            self.note_bounds(view, message);
            self.look_at_paths(view, message);
        }
        self.check_payloads(view, messages, exec_mask);
    }

    /// A message with what branches on the way to it say of its addresses; nothing if they say nothing.
    fn learned_message(&mut self, message: &Message) -> Option<Message> {
        let mask = &message.exec_mask;
        if mask.all_true() && self.reader.state().is_certain || self.reader.cx().launch.skips_paths {
            return None;
        }
        let mut is_new = false;
        let mut learn = |lanes: &Lanes<Value>| {
            Lanes::of(mask.len(), |lane| {
                let value = lanes.at(lane);
                let learned = self.reader.learned(value, mask.at(lane));
                is_new |= learned != value;
                learned
            })
        };
        let coordinates = message.coordinates.iter().map(&mut learn).collect();
        is_new.then(|| Message { coordinates, ..message.clone() })
    }

    /// Looks at a message as it is on each of the paths that its addresses depend on. Where lanes take paths of their own,
    /// those of the first lane and of the last one are looked at.
    fn look_at_paths(&mut self, view: &View<'p>, message: &Message) {
        let mask = &message.exec_mask;
        let mut active = mask.active();
        let Some(first) = active.next() else { return };
        if self.reader.cx().launch.trusts_paths {
            return;
        }
        if self.reader.has_second_turn() {
            self.look_at_second(view, message, first);
        }
        // The first lane may be where it is on every path.
        let all = message.coordinates.iter().flat_map(Lanes::iter);
        let Some((parted, by)) = self.first_parted(all) else { return };
        self.look_at_paths_of(view, message, first, parted);
        let Some(last) = active.next_back() else { return };
        let of_last = message.coordinates.iter().map(|lanes| lanes.at(last));
        if let Some((parted, _)) = self.first_parted(of_last).filter(|(_, of_last)| *of_last != by) {
            self.look_at_paths_of(view, message, last, parted);
        }
    }

    /// The first value that depends on the path, with the condition that parts the paths.
    fn first_parted(&self, mut values: impl Iterator<Item = Value>) -> Option<(Value, Condition)> {
        values.find_map(|value| {
            let mut splits = Splits::default();
            self.reader.domain.splits(value, &mut splits);
            Some((value, *splits.conditions.first()?))
        })
    }

    /// Looks at a message as it is on each of the paths that part a value of its addresses, for a lane. A pitch is one number,
    /// which is wrong on a path like any other; that offsets of lanes meet on one of them is not claimed: whether that path
    /// is ever taken with these lanes, the text does not say.
    fn look_at_paths_of(&mut self, view: &View<'p>, message: &Message, lane: u32, parted: Value) {
        let active = message.exec_mask.at(lane);
        for (given, _) in self.reader.domain.paths(parted) {
            if !self.reader.may_lack(active, given.not()) {
                continue;
            }
            let case = Case { given, replaced: Vec::new() };
            let domain = &mut self.reader.domain;
            let mut on_path = |value: Value| {
                let value = domain.in_case(value, &case);
                domain.learned(value, given)
            };
            let on_path = |lanes: &Lanes<Value>| Lanes::of(message.exec_mask.len(), |l| on_path(lanes.at(l)));
            let coordinates = message.coordinates.iter().map(on_path).collect();
            let message = Message { coordinates, ..message.clone() };
            self.record.path = Some(Path::One);
            self.check_message(view, &message);
            if view.row.takes(OperandKind::LscStridedAddress) {
                self.check_overlap_on_path(view, &message, given);
            }
            self.record.path = None;
        }
    }

    /// Looks at a message as it is in the second pass of a loop, if a path leads there with its first active lane.
    fn look_at_second(&mut self, view: &View<'p>, message: &Message, lane: u32) {
        let mask = &message.exec_mask;
        let values: Vec<Value> = message.coordinates.iter().flat_map(Lanes::iter).collect();
        let Some((second, back)) = self.reader.values_at_second(&values, mask.at(lane)) else { return };
        let n = mask.len() as usize;
        let coordinates = second.chunks(n).map(|lanes| Lanes::of(mask.len(), |l| lanes[l as usize])).collect();
        // Of the others it is not known whether they are active as well.
        let exec_mask =
            Lanes::of(mask.len(), |l| if mask.at(l) == mask.at(lane) { mask.at(l) } else { Condition::FALSE });
        let message = Message { exec_mask, coordinates, ..message.clone() };
        self.record.path = Some(Path::SecondPass(back));
        self.check_message(view, &message);
        self.record.path = None;
    }

    /// Records what an instruction has come across.
    fn report_observed(&mut self, view: &View<'p>, observed: Vec<(usize, Observed)>) {
        if self.record.compares_threads() {
            return;
        }
        for (operand, what) in observed {
            if let Observed::UndefinedVariable(undefined, byte) = what {
                self.record.report_undefined(view.index, operand, (undefined, byte));
            } else if let Some(fault) = what.as_indirect() {
                let trail = self.indirect_trail(view, operand, fault.lane);
                let trail = self.on_path(trail, fault.path);
                self.report_with(view, operand, FactKind::Observed(what), trail);
            } else {
                self.report(view, operand, FactKind::Observed(what));
            }
        }
    }

    /// Records a fact about an instruction as a whole.
    pub fn report_at(&mut self, instruction: InstructionIndex, kind: FactKind) {
        self.record.facts.add(Fact::new(instruction, None, kind));
    }

    /// Records a fact about an operand.
    pub fn report(&mut self, view: &View, place: usize, kind: FactKind) {
        self.report_with(view, place, kind, Vec::new());
    }

    /// Records a fact about an operand that holds on one of the paths.
    pub fn report_on_path(&mut self, view: &View, place: usize, kind: FactKind) {
        let outer = self.record.path;
        self.record.path = outer.or(Some(Path::One));
        self.report(view, place, kind);
        self.record.path = outer;
    }

    /// Records a claim about every execution of the instruction: `is_so` says whether it holds this time.
    pub fn report_if_always(&mut self, view: &View, place: usize, kind: FactKind, is_so: bool) {
        let fact = Fact::new(view.index, Some(place as u8), kind);
        if is_so {
            self.record.facts.add(fact);
        } else {
            self.record.facts.deny(&fact);
        }
    }

    /// Records that no fact of this kind holds of an operand whenever the instruction is executed.
    pub fn deny(&mut self, view: &View, place: usize, kind: FactKind) {
        self.report_if_always(view, place, kind, false);
    }

    /// Records a fact about an operand, with the instructions that explain it.
    pub fn report_with(&mut self, view: &View, place: usize, kind: FactKind, trail: Vec<InstructionIndex>) {
        let path = self.record.path;
        let trail = self.on_path(trail, path);
        self.record.facts.add(Fact { path, trail, ..Fact::new(view.index, Some(place as u8), kind) });
    }
}
