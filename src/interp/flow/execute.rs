//! Control flow.
//!
//! There are no states to be joined: the text is executed once from top to bottom, and everything that depends on a branch
//! carries its condition. Lanes that a forward branch sends ahead wait at its label, with the condition under which they
//! were sent; what is written meanwhile is written under the condition of being there. Where all of them have come
//! together again the conditions cancel out.
//!
//! Loops whose branches are decided by known numbers are executed as they stand. Others are executed once for all passes,
//! from a state that stands for the start of any pass ([`crate::interp::flow::loops`]).

use crate::base::symbol::Symbol;
use crate::interp::claims::facts::FactKind;
use crate::interp::claims::{Claims, Record};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{LANES, MAX_BLOCKS, Value};
use crate::interp::flow::assigned::Summaries;
use crate::interp::flow::first_pass::Gap;
use crate::interp::flow::loops::Frame;
use crate::interp::flow::plan::Plan;
use crate::interp::flow::trace::{Event, Journal};
use crate::interp::state::{Flow, Machine};
use crate::interp::transfer::{self, Effects};
use crate::program::cfg::SubroutineId;
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::instruction::{self, Effect};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Steps that a kernel may take for each of its instructions, and in addition.
const STEPS_PER_INSTRUCTION: u64 = 24;
const FURTHER_STEPS: u64 = 20_000;
/// How deep calls are followed.
const MAX_CALLS: usize = 8;
/// How deep loops and calls together are followed: each needs a part of the stack of its own. What is nested deeper is
/// executed as unknown.
const MAX_NESTED: usize = 40;

/// Lanes that wait at a label.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The condition of each lane.
    pub flow: Flow,
    /// Whether they were sent there lane by lane, so that other lanes of the same thread went on.
    pub is_divergent: bool,
    /// The branch that sent them.
    pub since: u32,
}

/// A subroutine in execution.
struct Call {
    start: u32,
    end: u32,
    returns: Vec<Flow>,
}

/// Executes one kernel or function.
pub struct Execution<'m, 'p> {
    pub(in crate::interp) machine: &'m mut Machine<'p>,
    pub(in crate::interp) record: &'m mut Record,
    pub(in crate::interp) journal: &'m mut Journal,
    pub(in crate::interp) plan: &'m mut Plan<'p>,
    /// The lanes that wait, by the instruction after their label.
    pub(in crate::interp) waiting: BTreeMap<u32, Vec<Arrival>>,
    /// The loops in execution, outermost first.
    pub(in crate::interp) frames: Vec<Frame>,
    calls: Vec<Call>,
    /// What the instruction in execution does.
    effects: Effects,
    /// Ranges in execution, one within the other.
    n_nested: usize,
    pub(in crate::interp) concrete_steps: u64,
    max_steps: u64,
    pub(in crate::interp) summaries: Summaries,
    /// Under what branches of all lanes are taken in the first pass of a loop, by its place in the plan: as it was entered
    /// last.
    pub(in crate::interp) first_conditions: FxHashMap<usize, Vec<(u32, Condition)>>,
    /// Two lanes that may part at the end of the first pass of a loop, and the branch, by its place in the plan.
    pub(in crate::interp) partings: FxHashMap<usize, (u32, u32, InstructionIndex)>,
    /// What lanes that leave a loop in its first pass leave unwritten, by its place in the plan.
    pub(in crate::interp) gaps: FxHashMap<usize, Vec<Gap>>,
}

impl<'m, 'p> Execution<'m, 'p> {
    /// Ready to begin.
    pub fn new(
        machine: &'m mut Machine<'p>,
        record: &'m mut Record,
        journal: &'m mut Journal,
        plan: &'m mut Plan<'p>,
    ) -> Self {
        let n = u64::from(machine.cx().object.instructions.end - machine.cx().object.instructions.start);
        Self {
            machine,
            record,
            journal,
            plan,
            waiting: BTreeMap::new(),
            frames: Vec::new(),
            calls: Vec::new(),
            effects: Effects::default(),
            n_nested: 0,
            concrete_steps: 0,
            max_steps: n * STEPS_PER_INSTRUCTION + FURTHER_STEPS,
            summaries: Summaries::default(),
            first_conditions: FxHashMap::default(),
            partings: FxHashMap::default(),
            gaps: FxHashMap::default(),
        }
    }

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
        self.journal.steps.saturating_sub(self.concrete_steps) > self.max_steps
            || self.machine.reader.domain.n_blocks() > MAX_BLOCKS
    }

    /// Whether no more may be spent on executing loops as they stand.
    pub(in crate::interp) fn is_concretely_exhausted(&self) -> bool {
        self.concrete_steps > self.machine.cx().max_concrete_steps
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
        for change in self.effects.changes.drain(..) {
            self.machine.apply(view.index.0, change);
        }
    }

    /// What looks at the state.
    pub(in crate::interp) fn claims(&mut self) -> Claims<'_, 'p> {
        Claims { reader: &mut self.machine.reader, record: &mut *self.record }
    }

    /// The condition of a branch that all lanes take together.
    fn uniform_condition(&mut self, view: &View) -> Condition {
        match view.instruction.predicate {
            None => Condition::TRUE,
            Some(predicate) => {
                let first = if view.row.flow == instruction::Flow::Jump { 0 } else { view.first_lane() };
                let bits = self.machine.reader.predicate_lanes(&predicate, first, 1);
                let reached = self.machine.state().reached;
                self.machine.reader.domain.given(bits.at(0), reached)
            }
        }
    }

    fn label_of(view: &View) -> Option<Symbol> {
        match view.operands.first() {
            Some(Operand::Name { name, .. }) => Some(*name),
            _ => None,
        }
    }

    fn jump(&mut self, view: &View<'p>) {
        let condition = self.uniform_condition(view);
        let Some(target) = Self::label_of(view).and_then(|name| self.plan.target(name)) else {
            return self.lose_control(view);
        };
        // A uniform `goto` lets the waiting lanes go on.
        if view.row.flow == instruction::Flow::Jump {
            self.note_jump_over_waiting(view, target, condition);
        }
        self.branch_together(view, target, condition);
    }

    /// All lanes go to `target` where `condition` holds.
    fn branch_together(&mut self, view: &View<'p>, target: u32, condition: Condition) {
        self.note_exits(view.index.0, target, &Lanes::run(condition, LANES));
        self.note_first_turn(view.index.0, condition);
        if condition.is_false() {
            return;
        }
        let here = self.machine.state().flow.clone();
        let uniform = self.machine.reader.domain.and(here.uniform, condition);
        let taken = Flow { uniform, active: here.active.clone() };
        if target <= view.index.0 {
            if self.branch_back(view.index.0, target, taken, condition, true) {
                return;
            }
        } else {
            self.send(target, taken, false, view.index.0);
        }
        if condition.as_known().is_none() {
            self.machine.state_mut().last_uniform_branch = Some(view.index);
        }
        let uniform = self.machine.reader.domain.and(here.uniform, condition.not());
        self.machine.set_flow(Flow { uniform, active: here.active });
    }

    pub(in crate::interp) fn send(&mut self, target: u32, flow: Flow, is_divergent: bool, since: u32) {
        if !flow.is_dead() {
            self.waiting.entry(target).or_default().push(Arrival { flow, is_divergent, since });
        }
    }

    fn goto(&mut self, view: &View<'p>) {
        if view.n_lanes() == 1 {
            return self.jump(view);
        }
        let Some(target) = Self::label_of(view).and_then(|name| self.plan.target(name)) else {
            return self.lose_control(view);
        };
        let n = view.n_lanes();
        let first = view.first_lane();
        let reached = self.machine.state().reached;
        let bits = match view.instruction.predicate {
            None => Lanes::run(Condition::TRUE, n),
            Some(predicate) => {
                let domain_bits = self.machine.reader.predicate_lanes(&predicate, first, n);
                let domain = &mut self.machine.reader.domain;
                domain_bits.map(|b| domain.given(b, reached))
            }
        };
        let whole = self.spread(&bits, first);
        if whole.all_false() {
            self.note_exits(view.index.0, target, &whole);
            return;
        }
        if let Some(same) = whole.as_same() {
            return self.branch_together(view, target, same);
        }
        self.note_exits(view.index.0, target, &whole);
        let here = self.machine.state().flow.clone();
        let domain = &mut self.machine.reader.domain;
        let taken = here.active.zip(&whole, |a, p| domain.and(a, p));
        let stay = here.active.zip(&whole, |a, p| domain.and(a, p.not()));
        self.machine.state_mut().divided_at = Some(view.index);
        let taken = Flow { uniform: here.uniform, active: taken };
        if target <= view.index.0 {
            if self.branch_back(view.index.0, target, taken, Condition::TRUE, false) {
                return;
            }
        } else {
            self.send(target, taken, true, view.index.0);
        }
        self.machine.set_flow(Flow { uniform: here.uniform, active: stay });
    }

    /// What a branch decides for each lane of the thread. Where it covers the whole dispatch, lanes beyond it do not exist:
    /// they go where others go, so that nothing is thought to be reached on their account. Where it does not, the others
    /// stay.
    fn spread(&self, bits: &Lanes<Condition>, first: u32) -> Lanes<Condition> {
        if let Some(same) = bits.as_same() {
            return Lanes::run(same, LANES);
        }
        let n = bits.len();
        let covers_all = first == 0 && n >= self.machine.cx().simd_size();
        Lanes::of(LANES, |l| match l.checked_sub(first) {
            Some(i) if i < n => bits.at(i),
            _ if covers_all => bits.at(l % n),
            _ => Condition::FALSE,
        })
    }

    fn switch(&mut self, view: &View<'p>) {
        self.effects.clear();
        let reader = &mut self.machine.reader;
        let (index, writer) = transfer::select_label(reader, view, &mut self.effects);
        Claims { reader, record: &mut *self.record }.note(view, &mut self.effects);
        let targets = self.plan.targets(view.index);
        let n_labels = match view.operands.get(1) {
            Some(Operand::LabelList { start, end }) => end - start,
            _ => 0,
        };
        let (low, _) = self.machine.reader.domain.range(index);
        if n_labels > 0 && low >= u64::from(n_labels) {
            let trail = self.record.writers.trail(writer);
            let kind = FactKind::OutOfRange { value: low, maximum: u64::from(n_labels) - 1 };
            self.claims().report_with(view, 0, kind, trail);
        }
        if targets.len() != n_labels as usize {
            return self.lose_control(view);
        }
        if let Some(known) = index.as_known() {
            if let Some(target) = targets.get(known as usize) {
                self.branch_together(view, *target, Condition::TRUE);
            }
            return self.machine.set_flow(Flow::dead());
        }
        self.note_other_exit();
        for (i, target) in (0..).zip(&targets) {
            // An index beyond the last label is undefined.
            let is_last = i as usize + 1 == targets.len();
            let number = Value::known(i, index.bytes);
            let condition = if is_last { Condition::TRUE } else { self.machine.reader.domain.equal(index, number) };
            self.branch_together(view, *target, condition);
        }
        self.machine.set_flow(Flow::dead());
    }

    /// A branch to nowhere: nothing more is known here.
    fn lose_control(&mut self, view: &View<'p>) {
        self.note_other_exit();
        self.machine.forget_everything();
        if view.instruction.predicate.is_none() {
            self.machine.set_flow(Flow::dead());
        }
    }

    fn call(&mut self, view: &View<'p>) {
        let subroutine = Self::label_of(view).and_then(|name| self.plan.subroutine(name));
        let Some((subroutine, (start, end))) = subroutine.and_then(|s| Some((s, self.plan.range(s)?))) else {
            return self.machine.forget_everything();
        };
        let is_open = self.calls.iter().any(|c| c.start == start);
        if is_open || self.calls.len() >= MAX_CALLS || self.is_too_deep() || self.is_exhausted() {
            self.record.facts.is_incomplete = true;
            self.record.facts.note_skipped(start..end);
            self.journal.note(Event::Skipped(start..end));
            return self.forget_written(subroutine, view.index.0);
        }
        let here = self.machine.state().flow.clone();
        let n = view.n_lanes();
        let bits = match view.instruction.predicate {
            None => Lanes::run(Condition::TRUE, n),
            Some(predicate) => self.machine.reader.predicate_lanes(&predicate, view.first_lane(), n),
        };
        let mut stay = None;
        if let Some(same) = bits.as_same() {
            let domain = &mut self.machine.reader.domain;
            let (uniform, other) = (domain.and(here.uniform, same), domain.and(here.uniform, same.not()));
            if !other.is_false() {
                stay = Some(Flow { uniform: other, active: here.active.clone() });
            }
            self.machine.set_flow(Flow { uniform, active: here.active });
        } else {
            let whole = self.spread(&bits, view.first_lane());
            let domain = &mut self.machine.reader.domain;
            let taken = here.active.zip(&whole, |a, p| domain.and(a, p));
            let other = here.active.zip(&whole, |a, p| domain.and(a, p.not()));
            stay = Some(Flow { uniform: here.uniform, active: other });
            self.machine.set_flow(Flow { uniform: here.uniform, active: taken });
        }
        if !self.machine.state().flow.is_dead() {
            self.calls.push(Call { start, end, returns: Vec::new() });
            let waiting = std::mem::take(&mut self.waiting);
            let frames = std::mem::take(&mut self.frames);
            self.run_range(start, end);
            self.frames = frames;
            self.waiting = waiting;
            let fallen = self.machine.state().flow.clone();
            let returns = self.calls.pop().map_or_else(Vec::new, |c| c.returns);
            let flow = self.machine.reader.joined([fallen].into_iter().chain(returns).chain(stay));
            self.machine.set_flow(flow);
        } else if let Some(stay) = stay {
            self.machine.set_flow(stay);
        }
    }

    /// Returns from a subroutine, or ends the thread.
    fn leave(&mut self, view: &View<'p>) {
        let is_function_end = view.row.flow == instruction::Flow::FunctionReturn;
        let in_call = self.calls.last().is_some_and(|c| (c.start..c.end).contains(&view.index.0)) && !is_function_end;
        let here = self.machine.state().flow.clone();
        let (taken, stay) = if view.n_lanes() == 1 || view.instruction.predicate.is_none() {
            let condition = self.uniform_condition(view);
            if condition.as_known().is_none() {
                self.machine.state_mut().last_uniform_branch = Some(view.index);
            }
            let domain = &mut self.machine.reader.domain;
            let (uniform, other) = (domain.and(here.uniform, condition), domain.and(here.uniform, condition.not()));
            (Flow { uniform, active: here.active.clone() }, Flow { uniform: other, active: here.active })
        } else {
            let (first, n) = (view.first_lane(), view.n_lanes());
            let bits = match view.instruction.predicate {
                Some(predicate) => self.machine.reader.predicate_lanes(&predicate, first, n),
                None => Lanes::run(Condition::TRUE, n),
            };
            let whole = self.spread(&bits, first);
            let domain = &mut self.machine.reader.domain;
            let taken = here.active.zip(&whole, |a, p| domain.and(a, p));
            let other = here.active.zip(&whole, |a, p| domain.and(a, p.not()));
            (Flow { uniform: here.uniform, active: taken }, Flow { uniform: here.uniform, active: other })
        };
        if in_call {
            if let Some(call) = self.calls.last_mut() {
                call.returns.push(taken);
            }
        } else if !taken.is_dead() {
            self.note_other_exit();
            self.end_thread(view);
        }
        self.machine.set_flow(stay);
    }

    /// The thread ends here, if it does.
    fn end_thread(&mut self, view: &View<'p>) {
        self.claims().end_of_thread(Some(view));
        if view.row.effects.contains(&Effect::EndOfThread) && view.instruction.predicate.is_none() {
            self.machine.set_flow(Flow::dead());
        }
    }

    /// Reports a jump of all lanes over a label where some of them wait.
    fn note_jump_over_waiting(&mut self, view: &View<'p>, target: u32, condition: Condition) {
        if target <= view.index.0 || condition.is_false() {
            return;
        }
        let uniform = self.machine.state().flow.uniform;
        let reached = self.machine.state().reached;
        let taken = self.machine.reader.domain.and(reached, condition);
        // A thread may have fewer lanes than its kernel, but not none.
        let n = if self.machine.cx().may_skip_lanes() { 1 } else { self.machine.cx().n_dispatched(LANES) };
        let mut passed = None;
        for (at, arrivals) in self.waiting.range(view.index.0 + 1..target) {
            for arrival in arrivals.iter().filter(|a| a.is_divergent && a.flow.uniform == uniform) {
                let lane = (0..n).find(|l| self.machine.reader.domain.implies(taken, arrival.flow.active.at(*l)));
                if passed.is_none_or(|(_, _, known): (u32, u32, Option<u32>)| known.is_none() && lane.is_some()) {
                    passed = Some((*at, arrival.since, lane));
                }
            }
        }
        if let Some((at, since, lane)) = passed
            && let Some(label) = self.plan.label_at(at)
        {
            let kind = FactKind::JumpOverWaiting { label, since: InstructionIndex(since), lane };
            self.claims().report(view, 0, kind);
        }
    }
}
