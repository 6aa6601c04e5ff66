//! What is carried from one pass of a loop to the next besides variables: what has been signalled at barriers, and the
//! lanes that leave.

use crate::interp::claims::endless::{Exit, WayOut};
use crate::interp::domain::Value;
use crate::interp::domain::atom::Atom;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::execution::{Execution, Frame, Mode, WayBack};
use crate::interp::state::barriers::{Barrier, Signal};
use crate::interp::state::content::Slot;
use crate::interp::state::{FirstTurn, Flow, SecondTurn};
use crate::program::InstructionIndex;
use std::rc::Rc;

/// What is signalled at barriers when a pass of a loop begins.
#[derive(Clone, Debug)]
pub(super) enum AtHead {
    /// What was before the loop.
    AsBefore,
    /// What is after the first pass.
    AsAfter(Vec<Signal>),
    /// That is not known.
    Unknown,
}

impl AtHead {
    /// What to begin with next, if this turned out to be wrong.
    pub(super) fn after(&self, frame: &Frame) -> Option<Self> {
        let end = frame.end_open.as_ref()?;
        let is_kept = end.iter().zip(&frame.begin_open).all(|(end, begin)| end.is_some_and(|s| s.open == *begin));
        if is_kept || matches!(self, Self::Unknown) {
            return None;
        }
        let known: Option<Vec<Signal>> =
            end.iter().map(|signal| signal.filter(|s| s.open.as_known().is_some())).collect();
        Some(match (self, known) {
            (Self::AsBefore, Some(known)) => Self::AsAfter(known),
            _ => Self::Unknown,
        })
    }
}

impl Execution<'_, '_> {
    /// Where there was an earlier pass of a loop, at the start of any pass: only where lanes came to the loop at all.
    pub(super) fn earlier_pass(&mut self, index: usize, entry: &Flow, is_plain: bool, is_divergent: bool) -> Condition {
        self.machine.first_turns_mut().retain(|turn| turn.index != index);
        let has_way_back = is_plain && self.seconds.contains_key(&index);
        // Where lanes leave one by one, it is not known which of them arrive.
        if (!is_plain || is_divergent) && !has_way_back {
            return Condition::TRUE;
        }
        let domain = &mut self.machine.reader.domain;
        let unknown = domain.unknown_condition().at(0);
        let earlier = if is_divergent { Condition::TRUE } else { domain.and(entry.uniform, unknown) };
        if has_way_back || self.first_conditions.contains_key(&index) {
            self.machine.first_turns_mut().push(FirstTurn {
                index,
                earlier: unknown,
                branches: Vec::new(),
                values: Vec::new(),
                second: None,
            });
        }
        earlier
    }

    /// A branch of all lanes in a loop: what decides it in the first pass is remembered, and found again when one pass is
    /// executed for all.
    pub(super) fn note_first_turn(&mut self, at: u32, condition: Condition) {
        let Some(frame) = self.frames.last() else { return };
        match frame.mode {
            Mode::Concrete if frame.is_first => {
                self.first_conditions.entry(frame.index).or_default().push((at, condition));
            }
            Mode::General if condition.as_known().is_none() => {
                let index = frame.index;
                let first = self.first_conditions.get(&index).and_then(|all| all.iter().find(|(a, _)| *a == at));
                let turn = self.machine.first_turns_mut().iter_mut().find(|turn| turn.index == index);
                if let (Some((_, first)), Some(turn)) = (first, turn) {
                    turn.branches.push((condition, *first));
                }
            }
            _ => {}
        }
    }

    /// What variables hold in the first pass of a loop, where that is known.
    pub(super) fn note_first_values(&mut self, frame: &Frame) {
        let Some(turn) = self.machine.first_turns_mut().iter_mut().find(|turn| turn.index == frame.index) else {
            return;
        };
        let guessed = frame.guesses.values().flat_map(|guess| guess.before.iter().copied());
        let others =
            frame.apart.iter().flat_map(|(_, _, all)| all.iter().map(|(_, unknown, before)| (*unknown, *before)));
        let known = guessed.chain(others).filter(|(_, before)| before.is_known() && !frame.is_divergent);
        turn.values.extend(known.filter_map(|(unknown, before)| Some((unknown.sum.as_single()?, before))));
        let Some(WayBack { at, given, held, .. }) = self.seconds.get_mut(&frame.index) else { return };
        let mut values = Vec::new();
        let mut writers = Vec::new();
        let mut note = |atom: Atom, value: Value, slot: &Slot| {
            values.push((atom, value));
            let writer = InstructionIndex(slot.writer);
            if (frame.head..=frame.end).contains(&slot.writer) && !writers.contains(&writer) {
                writers.push(writer);
            }
        };
        for (root, content) in held {
            let unit = content.unit();
            let slots = content.slots();
            if let Some(guess) = frame.guesses.get(root).filter(|guess| guess.unit == unit) {
                for (group, (unknown, _)) in (0..).zip(&guess.before) {
                    let Some(i) = guess.groups.iter().position(|g| *g == group) else { continue };
                    let (Some(now), Some(atom)) = (slots.get(i), unknown.sum.as_single()) else { continue };
                    let behind = guess.slots[i].value().constant;
                    if now.defined.is_true() && now.is_shaped_like(&guess.slots[i]) {
                        note(atom, now.value().plus(behind.wrapping_neg()), now);
                    }
                }
            }
            let apart = frame.apart.iter().filter(|(of, of_unit, _)| of == root && *of_unit == unit);
            for (i, unknown, _) in apart.flat_map(|(_, _, all)| all) {
                let (Some(now), Some(atom)) = (slots.get(*i), unknown.sum.as_single()) else { continue };
                if now.defined.is_true() && now.value().bytes == unknown.bytes {
                    note(atom, now.value(), now);
                }
            }
        }
        // What is written on the way is written where the way leads.
        let (back, given) = (*at, *given);
        let domain = &mut self.machine.reader.domain;
        for (_, value) in &mut values {
            *value = domain.assume(*value, given);
        }
        let turns = self.machine.first_turns_mut();
        if let Some(turn) = turns.iter_mut().find(|turn| turn.index == frame.index) {
            turn.second =
                Some(SecondTurn { back, given, values, writers, signalled: Vec::new(), alive: Condition::TRUE });
        }
    }

    /// Notes which lanes are in a loop that they leave one by one when a pass begins.
    pub(super) fn note_alive(&mut self, index: usize, alive: &Lanes<Condition>) {
        let turn = self.machine.first_turns_mut().iter_mut().find(|turn| turn.index == index);
        if let Some(second) = turn.and_then(|turn| turn.second.as_mut()) {
            second.alive = alive.at(0);
        }
    }

    /// Notes what the variables of a loop hold where its first pass goes back, if it is not decided whether it does.
    pub(super) fn note_second_turn(&mut self, at: u32, frame: usize, taken: &Flow) {
        let Frame { index, assigned, .. } = &self.frames[frame];
        let reader = &self.machine.reader;
        if assigned.everything || self.seconds.contains_key(index) || reader.cx().launch.trusts_paths {
            return;
        }
        // Of lanes that leave one by one the first one may go back.
        let is_divergent = self.frames[frame].is_divergent;
        let first = if is_divergent { taken.active.at(0) } else { Condition::TRUE };
        let followed = assigned.variables.iter().filter(|root| reader.cx().is_followed(**root));
        let held = followed.filter_map(|root| Some((*root, reader.saved_content(*root)?))).collect();
        let (index, barriers) = (*index, reader.state().barriers.clone());
        let given = self.machine.reader.domain.and(taken.uniform, first);
        if !given.is_false() {
            self.seconds.insert(index, WayBack { at: InstructionIndex(at), given, held, barriers });
        }
    }

    /// What is signalled at barriers at the start of any pass.
    pub(super) fn begin_barriers(&mut self, frame: &mut Frame, touched: &Rc<[Barrier]>, at_head: &AtHead) {
        frame.barriers = Rc::clone(touched);
        for (i, barrier) in touched.iter().enumerate() {
            let before = self.machine.state().barriers.signal(*barrier);
            let signal = match at_head {
                AtHead::AsBefore => before,
                AtHead::AsAfter(signals) => signals.get(i).copied().unwrap_or(before),
                AtHead::Unknown => self.unknown_signal(frame.index, *barrier, before),
            };
            self.machine.state_mut().barriers.set(*barrier, signal);
            frame.begin_open.push(self.machine.reader.domain.given(signal.open, frame.entry.uniform));
        }
    }

    /// What stands for what is signalled at a barrier at the start of any pass; what it is in the second one is noted.
    fn unknown_signal(&mut self, index: usize, barrier: Barrier, before: Signal) -> Signal {
        let open = self.machine.reader.domain.unknown_condition().at(0);
        let Some(back) = self.seconds.get(&index) else { return Signal { open, ..before } };
        let then = back.barriers.signal(barrier);
        let turn = self.machine.first_turns_mut().iter_mut().find(|turn| turn.index == index);
        if let Some(second) = turn.and_then(|turn| turn.second.as_mut()) {
            second.signalled.push((open, then.open));
        }
        Signal { open, at: then.at }
    }

    /// What is signalled at barriers where lanes go back.
    pub(super) fn end_barriers(&mut self, frame: usize, taken: &Flow) {
        let barriers = Rc::clone(&self.frames[frame].barriers);
        if barriers.is_empty() {
            return;
        }
        let signals: Vec<Option<Signal>> = barriers
            .iter()
            .map(|barrier| {
                let signal = self.machine.state().barriers.signal(*barrier);
                // Some lane has come here.
                let reached = self.machine.state().reached;
                let open = self.machine.reader.domain.given(signal.open, reached);
                Some(Signal { open: self.machine.reader.domain.given(open, taken.uniform), ..signal })
            })
            .collect();
        let end = &mut self.frames[frame].end_open;
        match end {
            None => *end = Some(signals),
            Some(known) => {
                for (known, now) in known.iter_mut().zip(signals) {
                    *known = known.filter(|k| now.is_some_and(|n| n.open == k.open));
                }
            }
        }
    }

    /// Notes a branch to `target` that lanes take where `taken` holds, in the loops that it leaves or goes round.
    pub(super) fn note_exits(&mut self, at: u32, target: u32, taken: &Lanes<Condition>) {
        if self.frames.is_empty() {
            return;
        }
        let here = self.machine.state().flow.clone();
        let domain = &mut self.machine.reader.domain;
        for frame in self.frames.iter_mut().filter(|f| f.is_first && !(f.head..=f.end).contains(&target)) {
            let left = taken.zip(&here.active, |taken, active| domain.and(taken, active));
            frame.first_exits.push(left.map(|left| domain.and(here.uniform, left)));
        }
        // The question is where lanes go that are here.
        let taken = taken.zip(&here.active, |taken, active| {
            let both = domain.and(taken, active);
            domain.given(both, active)
        });
        for frame in self.frames.iter_mut().filter(|f| f.mode == Mode::General) {
            let inside = frame.head..=frame.end;
            let leaving = if !inside.contains(&target) {
                taken.clone()
            } else if target == frame.head && at == frame.end {
                taken.map(Condition::not)
            } else {
                continue;
            };
            // Lanes that are active here only on some paths leave only on some paths.
            let has_all_lanes = here.active.is_same_as(&frame.begin.active);
            let path = here.uniform;
            frame.exits.push(Exit { at, path, leaving, has_all_lanes });
            if target == frame.head {
                frame.goes_back_at = Some(at);
            }
        }
    }

    /// Notes that lanes may leave all loops in a way that is not looked at.
    pub(super) fn note_other_exit(&mut self) {
        for frame in &mut self.frames {
            frame.leaves_otherwise = true;
        }
    }
}

impl Frame {
    /// How lanes leave it, if the last instruction goes back.
    pub(super) fn way_out(&self) -> Option<WayOut<'_>> {
        let at = self.goes_back_at.filter(|_| !self.leaves_otherwise)?;
        Some(WayOut {
            at,
            head: self.head,
            n_unknowns: self.n_unknowns,
            begin: &self.begin,
            steps: &self.steps,
            exits: &self.exits,
        })
    }
}
