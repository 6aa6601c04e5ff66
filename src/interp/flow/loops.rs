//! Loops.
//!
//! A loop whose branches are decided by known numbers is executed as it stands, as long as that is cheap. Any other loop
//! is executed once, from a state that stands for the start of any pass: what the loop assigns becomes unknown, but the
//! differences between the lanes of a vector are guessed to stay as they were, and the guess is checked at the branch back.
//! A guess that fails is given up, and the body is executed once more.
//!
//! Executing a loop needs a part of the stack. So a loop that is nested too deep is not executed at all: it stands for
//! anything that its instructions could do.

mod concrete;
mod destroyed;
mod exit;
mod guess;

use crate::interp::domain::LANES;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::assigned::Assigned;
use crate::interp::flow::execution::{Arrival, Destroyed, Execution, Frame, Mode};
use crate::interp::flow::plan::Loop;
use crate::interp::flow::trace::Event;
use crate::interp::flow::turns::AtHead;
use crate::interp::state::barriers::{Barrier, Barriers};
use crate::interp::state::content::{Content, PredicateContent};
use crate::interp::state::memory::{Bytes, Memory};
use crate::interp::state::{Flow, PartingLoop};
use crate::program::InstructionIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most times that the body of a loop is executed to find out what stays the same.
const MAX_PASSES: u32 = 3;
/// Most loops around one that is executed pass by pass although that has failed before.
const MAX_REPEATED: usize = 2;
/// The longest body that is executed more often than twice, or pass by pass.
const MAX_SHORT_BODY: u32 = 1000;

/// What was there before a loop.
struct Saved {
    contents: Vec<(usize, Option<Content>, Option<PredicateContent>)>,
    /// Where variables that nothing has accessed yet are assumed to be written.
    assumed: Vec<Condition>,
    waiting: BTreeMap<u32, Vec<Arrival>>,
    n_facts: usize,
    n_events: usize,
    barriers: Barriers,
    memory: Memory,
    races: Option<crate::interp::claims::races::Mark>,
}

impl Execution<'_, '_> {
    /// Executes a loop; the flow is that at its head.
    pub(in crate::interp) fn run_loop(&mut self, index: usize) {
        let Loop { head, end, is_tangled, .. } = self.plan.loops[index];
        #[expect(clippy::range_plus_one, reason = "`..=` panics where the range is empty")]
        let has_side_entry = self.waiting.range(head + 1..end + 1).next().is_some();
        if self.machine.state().flow.is_dead() && !has_side_entry {
            return;
        }
        if self.is_too_deep() {
            return self.skip_loop(head, end);
        }
        let assigned = self.assigned(head, end);
        let is_entered_inside = self.machine.state().flow.is_dead() && !is_tangled && !assigned.everything;
        if is_entered_inside && !self.plan.is_divergent(index) {
            return self.enter_loop(index, &assigned);
        }
        // Another thread may store what a loop waits for.
        self.machine.forget_recent();
        let saved = self.save(&assigned);
        let entry = self.machine.state().flow.clone();
        let is_plain = !is_tangled && !has_side_entry && !assigned.everything;
        self.first_conditions.remove(&index);
        self.seconds.remove(&index);
        self.gaps.remove(&index);
        self.partings.remove(&index);
        let is_short = end - head < MAX_SHORT_BODY;
        // One that has failed is tried again where it matters what its first pass decides, and where that is not too often.
        let is_repeated = !self.machine.cx().launch.skips_paths && self.frames.len() <= MAX_REPEATED;
        let is_of_use = is_repeated || !self.plan.failed_concretely.contains(&index);
        if is_plain && is_short && is_of_use && !self.is_concretely_exhausted() {
            if self.run_concretely(index, &entry, &assigned) {
                return;
            }
            self.plan.failed_concretely.insert(index);
            // What was found in the first passes is true all the same.
            self.restore_state(&saved);
            self.claims().return_to(saved.races, true);
        }
        let saved = Saved { n_facts: self.record.facts.all.len(), races: self.claims().race_mark(), ..saved };
        self.run_generally(index, &assigned, &saved, &entry, is_plain);
    }

    /// A loop that is only entered by jumps into its middle, such as to the test at its end: what is left of that pass
    /// is executed first, and then the loop as one that begins with the lanes that go back to the head.
    fn enter_loop(&mut self, index: usize, assigned: &Rc<Assigned>) {
        let Loop { head, end, .. } = self.plan.loops[index];
        let frame = self.frame(index, Mode::Entered, Flow::dead(), assigned);
        self.frames.push(frame);
        self.run_range(head, end + 1);
        let Some(frame) = self.frames.pop() else { return };
        let left = self.machine.state().flow.clone();
        let entry = self.machine.reader.joined(frame.back);
        if entry.is_dead() {
            return self.machine.set_flow(left);
        }
        self.machine.set_flow(entry);
        self.run_loop(index);
        let last = self.machine.state().flow.clone();
        let flow = self.machine.reader.joined([left, last]);
        self.machine.set_flow(flow);
    }

    fn frame(&mut self, index: usize, mode: Mode, entry: Flow, assigned: &Rc<Assigned>) -> Frame {
        let Loop { head, end, is_tangled } = self.plan.loops[index];
        let is_divergent = self.plan.is_divergent(index);
        Frame {
            index,
            mode,
            head,
            end,
            is_tangled,
            is_divergent,
            entry,
            back: Vec::new(),
            is_first: mode == Mode::Concrete,
            is_undecided: false,
            guesses: FxHashMap::default(),
            wrong: FxHashSet::default(),
            assigned: Rc::clone(assigned),
            begin: Flow::dead(),
            earlier: Condition::TRUE,
            destroyed: None,
            n_unknowns: 0,
            apart: Vec::new(),
            steps: FxHashMap::default(),
            exits: Vec::new(),
            first_exits: Vec::new(),
            leaves_otherwise: false,
            goes_back_at: None,
            barriers: Rc::default(),
            begin_open: Vec::new(),
            end_open: None,
        }
    }

    /// A loop that is nested too deep: what it assigns is unknown from now on, and any of the lanes may be wherever one of
    /// its branches leads.
    fn skip_loop(&mut self, head: u32, end: u32) {
        self.record.facts.is_incomplete = true;
        self.record.facts.note_skipped(head..end + 1);
        self.journal.note(Event::Skipped(head..end + 1));
        // Its text is read, which costs as much as executing it.
        self.journal.steps += u64::from(end - head);
        let mut entry = vec![self.machine.state().flow.clone()];
        while let Some((at, arrivals)) =
            self.waiting.range_mut(head + 1..=end).next().map(|(at, a)| (*at, std::mem::take(a)))
        {
            self.waiting.remove(&at);
            entry.extend(arrivals.into_iter().map(|a| a.flow));
        }
        let entry = self.machine.reader.joined(entry);
        let assigned = self.assigned(head, end);
        for root in &assigned.variables {
            self.machine.assume_assigned(*root, Condition::TRUE);
        }
        self.forget_assigned(&assigned, Condition::TRUE);
        if self.machine.reader.barriers_between(head, end).is_none_or(|touched| !touched.is_empty()) {
            self.machine.state_mut().barriers.lose();
        }
        self.machine.forget_memory();
        self.machine.forget_recent();
        self.claims().note_loop(head, end, true);
        let mut exits: Vec<(u32, u32)> = Vec::new();
        for at in head..=end {
            let targets = self.plan.targets(InstructionIndex(at)).into_iter().filter(|t| !(head..=end).contains(t));
            exits.extend(targets.map(|target| (target, at)));
        }
        exits.sort_unstable();
        exits.dedup_by_key(|(target, _)| *target);
        for (target, at) in exits {
            let flow = self.machine.reader.some_of(&entry);
            if target > end {
                self.send(target, flow, true, at);
            } else {
                self.machine.set_flow(entry.clone());
                if self.branch_back(at, target, flow, Condition::TRUE, false) && self.machine.state().flow.is_dead() {
                    // A loop around it was executed pass by pass, which cannot go on.
                    return;
                }
            }
        }
        let flow = self.machine.reader.some_of(&entry);
        self.machine.set_flow(flow);
    }

    /// Executes the body for all passes together.
    fn run_generally(&mut self, index: usize, assigned: &Rc<Assigned>, saved: &Saved, entry: &Flow, is_plain: bool) {
        let Loop { head, end, .. } = self.plan.loops[index];
        let is_divergent = self.plan.is_divergent(index);
        let settled = std::mem::replace(&mut self.record.facts.settled, saved.n_facts);
        let mut pass = 0;
        // The bytes that the loop is known to store to, in its first passes or any others.
        let mut stored: FxHashSet<Bytes> = FxHashSet::default();
        let touched = self.machine.reader.barriers_between(head, end);
        if touched.is_none() {
            self.machine.state_mut().barriers.lose();
        }
        let touched: Rc<[Barrier]> = touched.unwrap_or_default();
        let mut at_head = AtHead::AsBefore;
        let mut first_exit = None;
        let mut destroyed: Vec<Destroyed> = Vec::new();
        let frame = loop {
            pass += 1;
            let n_unknowns = self.machine.reader.domain.n_unknowns();
            let n_passes = if end - head < MAX_SHORT_BODY { MAX_PASSES } else { 2 };
            let may_retry = pass < n_passes && !self.is_exhausted();
            let since = self.machine.mark_stored();
            self.forget_stored(&stored, may_retry);
            let mut frame = self.frame(index, Mode::General, entry.clone(), assigned);
            frame.n_unknowns = n_unknowns;
            let earlier = self.earlier_pass(index, entry, is_plain, is_divergent);
            self.begin_any_pass(&mut frame, assigned, is_plain && !is_divergent && may_retry, earlier);
            self.note_first_values(&frame);
            self.begin_destroyed(&destroyed, earlier);
            if !may_retry {
                at_head = AtHead::Unknown;
            }
            self.begin_barriers(&mut frame, &touched, &at_head);
            let mut flow = entry.clone();
            if is_divergent {
                // Which lanes are still in the loop is not known.
                let alive = Lanes::run(self.machine.reader.domain.unknown_condition(), LANES);
                self.note_alive(index, &alive);
                let domain = &mut self.machine.reader.domain;
                flow.active = flow.active.zip(&alive, |a, b| domain.and(a, b));
            }
            if !is_plain {
                let unknown = self.machine.reader.domain.unknown_condition();
                let domain = &mut self.machine.reader.domain;
                flow.uniform = if flow.is_dead() { unknown.at(0) } else { domain.and(flow.uniform, unknown.at(0)) };
                let unknown = Lanes::run(domain.unknown_condition(), LANES);
                flow.active = unknown;
            }
            frame.begin = flow.clone();
            let n_parting = self.machine.reader.parting_loops.len();
            if let Some((here, away, since)) = self.partings.get(&index).copied().filter(|_| is_plain && is_divergent) {
                let alive = flow.active.clone();
                self.machine.reader.parting_loops.push(PartingLoop { alive, here, away, since });
            }
            self.machine.set_flow(flow);
            self.claims().note_loop(head, end, false);
            self.journal.note(Event::AnyPass { head, n_unknowns });
            self.frames.push(frame);
            self.run_range(head, end + 1);
            self.machine.reader.parting_loops.truncate(n_parting);
            self.record.facts.settled = saved.n_facts;
            let Some(done) = self.frames.pop() else { return };
            frame = done;
            let n_stored = stored.len();
            stored.extend(self.machine.stored_since(since));
            let next = at_head.after(&frame);
            let lost = frame.destroyed.take().filter(|_| !earlier.is_true()).unwrap_or_default();
            let is_settled = frame.wrong.is_empty() && lost == destroyed;
            if is_settled && n_stored == stored.len() && next.is_none() || !may_retry {
                break frame;
            }
            destroyed = lost;
            if let Some(next) = next {
                first_exit.get_or_insert_with(|| self.machine.state().barriers.clone());
                at_head = next;
            }
            for root in &frame.wrong {
                self.plan.opaque.insert((index, *root));
            }
            self.restore(saved);
        };
        self.record.facts.settled = settled;
        self.journal.note(Event::EndOfLoop { head });
        self.claims().note_loop(head, end, true);
        self.forget_stored(&stored, true);
        self.machine.forget_recent();
        if let Some(first) = first_exit {
            self.machine.join_barriers(&touched, &first);
        }
        if is_plain && let Some(way_out) = frame.way_out() {
            self.claims().check_endless(&way_out);
            self.claims().check_turns(&way_out);
        }
        self.leave_general(&frame, assigned, saved, is_plain);
    }

    /// Forgets what a loop stores; everything, if it is not known what that is.
    fn forget_stored(&mut self, stored: &FxHashSet<Bytes>, is_all: bool) {
        if !is_all {
            return self.machine.forget_memory();
        }
        for bytes in stored {
            self.machine.state_mut().memory.forget(*bytes);
        }
    }

    /// The state after the last pass.
    fn leave_general(&mut self, frame: &Frame, assigned: &Assigned, saved: &Saved, is_plain: bool) {
        let fallen = self.machine.state().flow.clone();
        if !frame.is_divergent && is_plain {
            // The pass stands for the last one, too: lanes that did not leave for elsewhere are active.
            return self.learn_from_exit(frame, assigned);
        }
        // Lanes leave one by one, each with what it had in its last pass.
        let at = frame.end;
        // Nothing is written that was not written in some pass.
        self.forget_assigned(assigned, if is_plain { Condition::FALSE } else { Condition::TRUE });
        if is_plain {
            self.reopen_gaps(frame.index);
        }
        let new: Vec<u32> = self
            .waiting
            .range(frame.end + 1..)
            .filter(|(target, arrivals)| saved.waiting.get(target).map_or(0, Vec::len) < arrivals.len())
            .map(|(target, _)| *target)
            .collect();
        let entry = if frame.entry.is_dead() {
            Flow { uniform: Condition::TRUE, active: Lanes::run(Condition::TRUE, LANES) }
        } else {
            frame.entry.clone()
        };
        let last = new.last().copied();
        for target in &new {
            let before = saved.waiting.get(target).map_or(0, Vec::len);
            let since = self.waiting.get(target).and_then(|a| a.last()).map_or(at, |a| a.since);
            if let Some(arrivals) = self.waiting.get_mut(target) {
                arrivals.truncate(before);
            }
            let flow = if Some(*target) == last { entry.clone() } else { self.machine.reader.some_of(&entry) };
            self.send(*target, flow, true, since);
        }
        let flow = if fallen.is_dead() {
            Flow::dead()
        } else if new.is_empty() {
            entry
        } else {
            self.machine.reader.some_of(&entry)
        };
        self.machine.set_flow(flow);
    }

    /// A label inside of a loop to which branches go back, or from which they come in: whatever may be there.
    pub(in crate::interp) fn arrive_in_tangle(&mut self, at: u32) {
        let Some(frame) = self.frames.last().filter(|f| f.is_tangled) else { return };
        if at <= frame.head || at > frame.end || self.plan.label_at(at).is_none() {
            return;
        }
        let assigned = Rc::clone(&frame.assigned);
        let n_unknowns = self.machine.reader.domain.n_unknowns();
        self.journal.note(Event::AnyPass { head: at, n_unknowns });
        self.forget_assigned(&assigned, Condition::TRUE);
        self.machine.forget_memory();
        self.machine.forget_recent();
        let domain = &mut self.machine.reader.domain;
        let flow =
            Flow { uniform: domain.unknown_condition().at(0), active: Lanes::run(domain.unknown_condition(), LANES) };
        self.machine.set_flow(flow);
    }

    /// A branch back. Returns whether the flow after it has been settled.
    pub(in crate::interp) fn branch_back(
        &mut self,
        at: u32,
        target: u32,
        taken: Flow,
        condition: Condition,
        is_uniform: bool,
    ) -> bool {
        let Some(i) =
            self.frames.iter().rposition(|f| f.head == target || f.is_tangled && (f.head..=f.end).contains(&target))
        else {
            // Back to where no loop is in execution: only in text that is broken elsewhere.
            self.machine.forget_everything();
            return false;
        };
        let frame = &self.frames[i];
        match frame.mode {
            Mode::Entered => {
                self.frames[i].back.push(taken);
                false
            }
            Mode::Concrete => {
                let here = &self.machine.state().flow;
                let is_decided = if is_uniform {
                    condition.is_true() && here.uniform == frame.entry.uniform
                } else {
                    // A lane that stays would wait for the others, so no lane stays before the end.
                    taken.active.iter().zip(here.active.iter()).all(|(t, a)| t == a || t.is_false() && at == frame.end)
                };
                if !is_decided && is_uniform && frame.is_first && !taken.is_dead() {
                    self.note_second_turn(at, i, &taken);
                }
                let frame = &mut self.frames[i];
                if is_decided {
                    frame.back.push(taken);
                } else if is_uniform && frame.is_first && !self.machine.cx().launch.skips_paths {
                    // The rest of the first pass is that of the paths that do not go back here.
                    frame.is_undecided = true;
                } else {
                    frame.is_undecided = true;
                    if !is_uniform && frame.is_first && at == frame.end {
                        self.note_second_turn(at, i, &taken);
                        self.note_parting(at, i, &taken);
                    }
                    // What follows does not matter any more, not even to waiting lanes.
                    self.waiting.clear();
                    self.machine.set_flow(Flow::dead());
                    return true;
                }
                false
            }
            Mode::General => {
                if !frame.is_divergent && !frame.is_tangled {
                    self.check_guesses(i, &taken);
                }
                self.note_steps(i, &taken);
                self.note_destroyed(i, &taken);
                self.end_barriers(i, &taken);
                let frame = &self.frames[i];
                if condition.is_true() && is_uniform {
                    return false;
                }
                if is_uniform && !frame.is_divergent {
                    // Lanes that go on here do so in the last pass: that the branch is not taken says nothing new.
                    return true;
                }
                // Lanes that do not go back wait here until all of them have come, while the others execute further passes.
                if at != frame.end {
                    let assigned = Rc::clone(&frame.assigned);
                    let n_unknowns = self.machine.reader.domain.n_unknowns();
                    self.journal.note(Event::AnyPass { head: at + 1, n_unknowns });
                    let earlier = self.frames[i].earlier;
                    self.forget_assigned(&assigned, earlier);
                }
                let frame = &self.frames[i];
                let entry = frame.entry.clone();
                let flow = if entry.is_dead() {
                    self.machine.state().flow.clone()
                } else {
                    self.machine.reader.some_of(&entry)
                };
                self.machine.set_flow(flow);
                true
            }
        }
    }

    /// Notes two lanes of which one may go on with a loop after its first pass, and the other one not.
    fn note_parting(&mut self, at: u32, frame: usize, taken: &Flow) {
        let index = self.frames[frame].index;
        if let Some((here, away)) = self.claims().lanes_that_may_part(taken, InstructionIndex(at)) {
            self.partings.insert(index, (here, away, InstructionIndex(at)));
        }
    }

    /// What the loop assigns is unknown, and may have been written where `written` holds.
    pub(in crate::interp) fn forget_assigned(&mut self, assigned: &Assigned, written: Condition) {
        if assigned.everything {
            self.machine.forget_everything();
            return;
        }
        for root in &assigned.variables {
            self.machine.widen(*root, written);
        }
    }

    fn save(&mut self, assigned: &Assigned) -> Saved {
        let all: Vec<usize> = if assigned.everything {
            (0..self.machine.cx().n_variables()).collect()
        } else {
            assigned.variables.clone()
        };
        Saved {
            assumed: all.iter().map(|root| self.machine.reader.assumed_assigned(*root)).collect(),
            contents: all
                .into_iter()
                .map(|r| (r, self.machine.reader.saved_content(r), self.machine.reader.saved_predicate(r)))
                .collect(),
            waiting: self.waiting.clone(),
            n_facts: self.record.facts.all.len(),
            n_events: self.journal.events.as_ref().map_or(0, Vec::len),
            barriers: self.machine.state().barriers.clone(),
            memory: self.machine.state().memory.clone(),
            races: self.claims().race_mark(),
        }
    }

    fn restore(&mut self, saved: &Saved) {
        self.restore_state(saved);
        self.record.facts.truncate(saved.n_facts);
        self.claims().return_to(saved.races, false);
    }

    fn restore_state(&mut self, saved: &Saved) {
        for (root, content, predicate) in &saved.contents {
            self.machine.put_back(*root, content.clone(), predicate.clone());
        }
        for ((root, ..), assumed) in saved.contents.iter().zip(&saved.assumed) {
            self.machine.set_assumed_assigned(*root, *assumed);
        }
        self.waiting.clone_from(&saved.waiting);
        self.machine.state_mut().barriers.clone_from(&saved.barriers);
        self.machine.state_mut().memory.clone_from(&saved.memory);
        self.machine.forget_recent();
        if let Some(trace) = &mut self.journal.events {
            trace.truncate(saved.n_events);
        }
    }
}
