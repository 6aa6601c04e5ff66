//! Control flow.
//!
//! There are no states to be joined: the text is executed once from top to bottom, and everything that depends on a branch
//! carries its condition. Lanes that a forward branch sends ahead wait at its label, with the condition under which they
//! were sent; what is written meanwhile is written under the condition of being there. Where all of them have come
//! together again the conditions cancel out.
//!
//! Loops whose branches are decided by known numbers are executed as they stand. Others are executed once for all passes,
//! from a state that stands for the start of any pass ([`crate::interp::flow::loops`]).

use crate::interp::claims::Claims;
use crate::interp::claims::races::RaceLog;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{LANES, MAX_BLOCKS};
use crate::interp::flow::execution::Execution;
use crate::interp::flow::trace::{Event, Step};
use crate::interp::state::{Change, Flow, Location, lane_after_lane};
use crate::interp::transfer;
use crate::program::cfg::SubroutineId;
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::instruction::{self, Effect, Role};

/// How deep loops and calls together are followed: each needs a part of the stack of its own. What is nested deeper is
/// executed as unknown.
const MAX_NESTED: usize = 40;
/// Most steps that are spent on loops as they stand.
const MAX_CONCRETE_STEPS: u64 = 30_000;

impl<'p> Execution<'_, 'p> {
    /// Executes everything.
    pub fn run(&mut self) {
        let Some((start, end)) = self.plan.range(SubroutineId(0)) else { return };
        self.run_range(start, end);
        let fell_off = !self.machine.state().flow.is_dead();
        if fell_off {
            self.claims().end_of_thread(None);
        }
    }

    /// Whether enough has been spent.
    pub(in crate::interp) fn is_exhausted(&self) -> bool {
        self.journal.steps.saturating_sub(self.journal.concrete_steps + self.function_steps) > self.max_steps
            || self.machine.reader.domain.n_blocks() > MAX_BLOCKS
    }

    /// Whether no more may be spent on executing loops as they stand.
    pub(in crate::interp) fn is_concretely_exhausted(&self) -> bool {
        self.journal.concrete_steps > MAX_CONCRETE_STEPS
            || self.journal.concrete_effort > self.machine.cx().max_concrete_effort
    }

    /// What the execution has cost so far.
    pub(in crate::interp) fn effort(&self) -> u64 {
        let n_accesses = self.record.races.as_ref().map_or(0, RaceLog::n_accesses);
        self.journal.steps + (self.machine.reader.domain.n_blocks() + n_accesses) as u64
    }

    /// Whether loops and calls are nested so deep that no further one is followed.
    pub(in crate::interp) const fn is_too_deep(&self) -> bool {
        self.n_nested > MAX_NESTED
    }

    /// Executes the instructions of a range, without the loop that begins with it and is in execution already.
    pub(in crate::interp) fn run_range(&mut self, start: u32, end: u32) {
        self.n_nested += 1;
        self.run_instructions(start, end);
        self.n_nested -= 1;
    }

    fn run_instructions(&mut self, start: u32, end: u32) {
        let mut at = start;
        while at < end {
            if self.has_seen_all() {
                self.machine.set_flow(Flow::dead());
                self.waiting.clear();
                return;
            }
            let n_steps = self.journal.steps;
            let is_cancelled = self.journal.steps.is_multiple_of(256) && self.machine.cx().launch.is_cancelled();
            if self.machine.reader.domain.n_blocks() > MAX_BLOCKS
                || self.claims().is_looking_in_vain(n_steps)
                || is_cancelled
            {
                // Too much to remember, or to wait for: nothing more is claimed.
                self.record.facts.is_incomplete = true;
                self.journal.note(Event::GivenUp);
                self.machine.set_flow(Flow::dead());
                self.waiting.clear();
                return;
            }
            self.arrive(at);
            self.arrive_in_tangle(at);
            if let Some(l) = self.plan.loop_at(at)
                && !self.frames.iter().any(|f| f.index == l)
            {
                let last = self.plan.loops[l].end;
                self.run_loop(l);
                at = last + 1;
                continue;
            }
            if self.machine.state().flow.is_dead() {
                // Skip to the next label with waiting lanes.
                match self.waiting.range(at + 1..end).next() {
                    Some((next, _)) => at = self.first_loop_before(at + 1, *next),
                    None => return,
                }
                continue;
            }
            self.step(at);
            at += 1;
        }
    }

    /// Whether the question is only about an instruction that has been executed and will not be executed again.
    fn has_seen_all(&self) -> bool {
        let is_seen = self.record.look.as_ref().is_some_and(|look| look.seen.is_some());
        is_seen && self.frames.is_empty() && self.plan.is_one_range()
    }

    /// The head of the first loop from `at` on that holds `target` inside, or else the target.
    fn first_loop_before(&self, at: u32, target: u32) -> u32 {
        let first = self.plan.loops.partition_point(|l| l.head < at);
        self.plan.loops[first..]
            .iter()
            .take_while(|l| l.head <= target)
            .find(|l| l.end >= target && !self.frames.iter().any(|f| self.plan.loops[f.index].head == l.head))
            .map_or(target, |l| l.head)
    }

    /// Lanes that wait here are active again.
    fn arrive(&mut self, at: u32) {
        let Some(arrivals) = self.waiting.remove(&at) else { return };
        let here = self.machine.state().flow.clone();
        let all = (!here.is_dead()).then_some(here).into_iter().chain(arrivals.into_iter().rev().map(|a| a.flow));
        let flow = self.machine.reader.joined(all);
        self.machine.set_flow(flow);
    }

    /// Executes one instruction.
    fn step(&mut self, at: u32) {
        let index = InstructionIndex(at);
        let view = View::new(self.machine.cx().program, index);
        let is_sound = view.is_some_and(|l| !l.instruction.is_broken) && !self.machine.cx().launch.is_faulty(at);
        let Some(view) = view.filter(|_| is_sound) else {
            self.journal.steps += 1;
            self.machine.forget_everything();
            self.machine.state_mut().barriers.lose();
            if view.is_none_or(|l| l.row.flow != instruction::Flow::Next) {
                // Lanes may have gone elsewhere; what follows is looked at all the same.
                let unknown = Lanes::run(self.machine.reader.domain.unknown_condition(), LANES);
                let here = self.machine.state().flow.clone();
                let domain = &mut self.machine.reader.domain;
                let active = here.active.zip(&unknown, |a, b| domain.and(a, b));
                self.machine.set_flow(Flow { uniform: here.uniform, active });
            }
            return;
        };
        if !self.machine.cx().launch.lives.is_empty() {
            self.follow_lives(&view);
        }
        let is_asked = self.record.look.as_ref().is_some_and(|look| look.instruction == index);
        if !is_asked && self.machine.cx().can_be_skipped(&view) {
            return;
        }
        self.journal.steps += 1;
        self.claims().watch(&view);
        self.claims().note_order(&view);
        self.claims().look(&view);
        self.note_step(&view);
        match view.row.flow {
            instruction::Flow::Next | instruction::Flow::Barrier => {
                self.execute(&view);
                if view.row.effects.contains(&Effect::EndOfThread) {
                    self.note_other_exit();
                    self.end_thread(&view);
                }
            }
            instruction::Flow::Jump => self.jump(&view),
            instruction::Flow::Goto => self.goto(&view),
            instruction::Flow::Switch => self.switch(&view),
            instruction::Flow::Call => self.call(&view),
            instruction::Flow::Return | instruction::Flow::FunctionReturn => self.leave(&view),
            instruction::Flow::FunctionCall => self.execute(&view),
        }
        if self.record.watch.is_some() {
            self.claims().note_result(&view);
        }
    }

    /// Executes an instruction that does not branch: what it does is looked at before it happens.
    fn execute(&mut self, view: &View<'p>) {
        self.effects.clear();
        let reader = &mut self.machine.reader;
        transfer::execute(reader, view, &mut self.effects);
        Claims { reader, record: &mut *self.record }.look_at(view, &mut self.effects);
        if view.row.flow == instruction::Flow::FunctionCall
            && let Some(outcome) = self.outcome(view)
        {
            self.machine.reader.give_back(view, &outcome.numbers, &mut self.effects);
            if let Some(signals) = &outcome.signals {
                self.machine.reader.pass_barriers_of_call(signals, &mut self.effects);
            }
        }
        for change in self.effects.changes.drain(..) {
            self.machine.apply(view.index.0, change);
        }
    }

    /// Looks whether an instruction is within the lives of what it uses, and begins or ends one.
    fn follow_lives(&mut self, view: &View<'p>) {
        self.claims().watch_lives(view);
        if let Some((variable, begins)) = self.machine.reader.marked_life(view) {
            let exec_mask = Lanes::run(self.machine.state().reached, 1);
            let bits = Lanes::run(Condition::known(begins), 1);
            self.machine.apply(view.index.0, Change::SetPredicate { variable, first: 0, bits, exec_mask });
        }
    }

    /// What looks at the state.
    pub(in crate::interp) fn claims(&mut self) -> Claims<'_, 'p> {
        Claims { reader: &mut self.machine.reader, record: &mut *self.record }
    }

    /// The thread ends here, if it does.
    pub(super) fn end_thread(&mut self, view: &View<'p>) {
        self.claims().end_of_thread(Some(view));
        if view.row.effects.contains(&Effect::EndOfThread) && view.instruction.predicate.is_none() {
            self.machine.set_flow(Flow::dead());
        }
    }

    /// Notes what an instruction is going to read.
    pub(in crate::interp) fn note_step(&mut self, view: &View<'p>) {
        if self.journal.events.is_none() {
            return;
        }
        let machine = &mut *self.machine;
        let exec_mask = machine.reader.mask(view);
        let mut sources = Vec::new();
        for (place, operand, slot) in view.numbered_operands() {
            if slot.role != Role::Source {
                continue;
            }
            match operand {
                Operand::General { .. } | Operand::Indirect { .. } => {
                    sources.push((place, machine.reader.source(view, place, &exec_mask).lanes));
                }
                Operand::Raw { .. } if !operand.is_null() => {
                    if let Some(at) = machine.reader.raw_location(operand) {
                        let at = Location { region: lane_after_lane(), ..at };
                        sources.push((place, machine.reader.read_at(at, &exec_mask).0));
                    }
                }
                _ => {}
            }
        }
        let step = Step { instruction: view.index, reached: machine.state().reached, exec_mask, sources };
        self.journal.note(Event::Step(Box::new(step)));
    }
}
