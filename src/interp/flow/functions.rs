//! Functions of the same text: the numbers that they give back.

use crate::interp::claims::Record;
use crate::interp::claims::facts::Fact;
use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::execute;
use crate::interp::flow::execution::{Execution, Outcome};
use crate::interp::flow::trace::Journal;
use crate::interp::state::content::NO_WRITER;
use crate::interp::state::{Change, Context, Location, Machine};
use crate::interp::transfer::call::{Numbers, is_fence_function};
use crate::program::{ControlFlow, Object, Operand, Region, VariableId, View};
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
    /// The numbers that a call gives back, as far as they are known; none if the function does not stand in the text. What
    /// the arguments bring about in it is recorded.
    pub(super) fn returned(&mut self, view: &View<'p>) -> Numbers {
        let Some(callee) = callee(view) else { return Numbers::new() };
        let n_instructions = callee.instructions.end - callee.instructions.start;
        if self.record.compares_threads() || self.record.call_depth >= MAX_DEPTH || n_instructions > MAX_INSTRUCTIONS {
            return Numbers::new();
        }
        let arguments = self.machine.reader.argument_numbers(view);
        let has_arguments = !arguments.is_empty();
        let Some(outcome) = self.follow(callee, arguments) else { return Numbers::new() };
        if has_arguments && let Some(always) = self.follow(callee, Numbers::new()) {
            let is_new =
                |fact: &&Fact| !always.facts.iter().any(|f| f.is_of(fact.instruction, fact.operand, &fact.kind));
            for fact in outcome.facts.iter().filter(is_new) {
                let mut fact = fact.clone();
                fact.trail.push(view.index);
                self.record.facts.add(fact);
            }
        }
        outcome.numbers.clone()
    }

    /// Executes a function with some known arguments, unless that has been done, or is too much.
    fn follow(&mut self, callee: &'p Object, arguments: Numbers) -> Option<Rc<Outcome>> {
        let key = (callee.instructions.start, arguments);
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
        let own = Context::new(cx.program, callee, &flow, cx.grf_bytes, cx.launch);
        let mut machine = Machine::new(Context { max_concrete_effort: MAX_LOOP_EFFORT, ..own }, Default::default());
        hand_over(&mut machine, &key.1);
        let mut record = Record { call_depth: self.record.call_depth + 1, ..Record::default() };
        let mut journal = Journal::default();
        execute(&mut machine, &mut record, &mut journal);
        self.journal.steps += journal.steps;
        self.function_steps += journal.steps;
        let mut outcome = Outcome::default();
        if !record.facts.is_incomplete {
            record.facts.drop_denied();
            record.facts.all.retain(|fact| fact.kind.is_of_numbers());
            outcome = Outcome { numbers: record.returned.unwrap_or_default(), facts: record.facts.all };
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

/// The function that a call names, if the text has exactly one of that name.
fn callee<'p>(view: &View<'p>) -> Option<&'p Object> {
    let Some(Operand::Name { name, .. }) = view.operands.first() else { return None };
    let id = view.program.functions.get(name).copied().flatten().filter(|_| !is_fence_function(view))?;
    Some(&view.program.objects[id])
}
