//! Functions of the same text: the numbers that they give back, and the barriers that they pass.

use crate::interp::claims::facts::{Fact, FactKind};
use crate::interp::claims::{Record, Returned};
use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::execute;
use crate::interp::flow::execution::{Beginning, Execution, Outcome};
use crate::interp::flow::trace::Journal;
use crate::interp::launch::Launch;
use crate::interp::state::barriers::{KnownSignal, Signal};
use crate::interp::state::content::NO_WRITER;
use crate::interp::state::{Change, Context, Location, Machine};
use crate::interp::transfer::call::{Numbers, callee};
use crate::program::{ControlFlow, Object, Region, VariableId, View};
use std::rc::Rc;

/// How deep functions that call functions are followed.
const MAX_DEPTH: u32 = 3;
/// Most instructions of a function that is followed.
const MAX_INSTRUCTIONS: u32 = 2000;
/// Most functions that one kernel follows, each once for the arguments that it gets; a function that it follows follows a
/// quarter of that.
const MAX_FOLLOWED: usize = 16;
/// Steps that may be spent on functions: for each instruction of the kernel, and in any case.
const STEPS_PER_INSTRUCTION: u64 = 8;
const FURTHER_STEPS: u64 = 8_000;
/// What may be spent on the loops of a function as they stand.
const MAX_LOOP_EFFORT: u64 = 16_000;

impl<'p> Execution<'_, 'p> {
    /// What a function that is called does: the numbers that it gives back, as far as they are known, and what it leaves at
    /// barriers; nothing if it does not stand in the text. What the caller brings about in it is recorded.
    pub(super) fn outcome(&mut self, view: &View<'p>) -> Option<Rc<Outcome>> {
        let callee = callee(view)?;
        let n_instructions = callee.instructions.end - callee.instructions.start;
        if self.record.compares_threads() || self.record.call_depth >= MAX_DEPTH || n_instructions > MAX_INSTRUCTIONS {
            return None;
        }
        let arguments = self.machine.reader.argument_numbers(view);
        let reached = self.machine.state().reached;
        // Under a predicate it is not known whether the thread makes the call, and so passes the barrier.
        let passes = self.machine.reader.may_pass_barrier(view) && view.instruction.predicate.is_none();
        let signals = if passes { self.machine.reader.known_signals(reached) } else { None };
        let beginning = Beginning {
            arguments,
            open: signals.as_ref().map(|all| all.iter().filter(|s| s.is_open).map(|s| s.barrier).collect()),
            is_of_caller: true,
        };
        let outcome = self.follow(callee, beginning, &signals.unwrap_or_default())?;
        let alone = Beginning { arguments: Numbers::new(), open: None, is_of_caller: false };
        if !outcome.facts.is_empty()
            && let Some(always) = self.follow(callee, alone, &[])
        {
            let is_new = |fact: &&Fact| !always.facts.iter().any(|f| f.is_like(fact));
            // Lanes that do not make the call meet no others.
            let is_of_all =
                view.instruction.predicate.is_none() && self.machine.state().flow.active.as_same().is_some();
            let is_so = |fact: &&Fact| is_of_all || !matches!(fact.kind, FactKind::Overlap(_));
            for fact in outcome.facts.iter().filter(is_new).filter(is_so) {
                let mut fact = fact.clone();
                fact.trail.push(view.index);
                self.record.facts.add(fact);
            }
        }
        Some(outcome)
    }

    /// Executes a function with what is known of its beginning, unless that has been done, or is too much.
    fn follow(&mut self, callee: &'p Object, beginning: Beginning, signals: &[KnownSignal]) -> Option<Rc<Outcome>> {
        let key = (callee.instructions.start, beginning);
        if let Some(known) = self.followed.get(&key) {
            return Some(known.clone());
        }
        if self.followed.len() >= MAX_FOLLOWED >> (2 * self.record.call_depth) {
            return None;
        }
        let cx = self.machine.cx();
        let n_own = u64::from(cx.object.instructions.end - cx.object.instructions.start);
        let n_instructions = u64::from(callee.instructions.end - callee.instructions.start);
        if self.function_steps + n_instructions > n_own * STEPS_PER_INSTRUCTION + FURTHER_STEPS {
            return None;
        }
        let flow = ControlFlow::new(cx.program, callee);
        let launch = if key.1.is_of_caller { None } else { Some(Launch { slm_bytes: None, ..cx.launch.clone() }) };
        let own = Context::new(cx.program, callee, &flow, cx.grf_bytes, launch.as_ref().unwrap_or(cx.launch));
        let mut machine = Machine::new(Context { max_concrete_effort: MAX_LOOP_EFFORT, ..own }, Default::default());
        hand_over(&mut machine, &key.1.arguments);
        for KnownSignal { barrier, at, .. } in signals.iter().filter(|signal| signal.is_open).copied() {
            machine.state_mut().barriers.set(barrier, Signal { open: Condition::TRUE, at });
        }
        let knows_signals = key.1.open.is_some();
        let mut record = Record { call_depth: self.record.call_depth + 1, knows_signals, ..Record::default() };
        let mut journal = Journal::default();
        execute(&mut machine, &mut record, &mut journal);
        self.journal.steps += journal.steps;
        self.function_steps += journal.steps;
        let mut outcome = Outcome::default();
        if !record.facts.is_incomplete {
            record.facts.drop_denied();
            let is_of_caller = |Fact { kind, path, .. }: &Fact| {
                let always_meets = path.is_none() && matches!(kind, FactKind::Overlap(_));
                kind.is_of_numbers() || kind.is_of_halves() || always_meets
            };
            record.facts.all.retain(is_of_caller);
            let Returned { numbers, signals } = record.returned.unwrap_or_default();
            outcome = Outcome { numbers, facts: record.facts.all, signals };
        }
        let outcome = Rc::new(outcome);
        self.followed.insert(key, outcome.clone());
        Some(outcome)
    }
}

/// A function begins with some arguments.
fn hand_over(machine: &mut Machine, arguments: &Numbers) {
    let Some((root, _)) = VariableId::of_predefined("%arg").and_then(|v| machine.cx().root(v)) else { return };
    for (byte, number) in arguments {
        let at = Location { root, start: (*byte).into(), bytes: 4, region: Region::SCALAR };
        let values = Lanes::run(Value::known((*number).into(), 4), 1);
        machine.apply(NO_WRITER, Change::Write { at, values, exec_mask: Lanes::run(Condition::TRUE, 1) });
    }
}
