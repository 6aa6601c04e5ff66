//! What is held while a kernel or function is executed: lanes that wait, loops and calls in execution.

use crate::interp::claims::Record;
use crate::interp::claims::endless::{Counter, Exit};
use crate::interp::claims::facts::Fact;
use crate::interp::domain::Value;
use crate::interp::domain::atom::Atom;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::assigned::{Assigned, Summaries};
use crate::interp::flow::plan::Plan;
use crate::interp::flow::trace::Journal;
use crate::interp::state::barriers::{Barrier, Barriers, KnownSignal, Signal};
use crate::interp::state::content::{Content, Slot};
use crate::interp::state::{Flow, Machine};
use crate::interp::transfer::Effects;
use crate::interp::transfer::call::Numbers;
use crate::program::InstructionIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Steps that a kernel may take for each of its instructions, and in addition.
const STEPS_PER_INSTRUCTION: u64 = 24;
const FURTHER_STEPS: u64 = 20_000;
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
pub(super) struct Call {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) returns: Vec<Flow>,
}

/// What becomes of a function that is called.
#[derive(Default)]
pub(super) struct Outcome {
    /// The numbers that it gives back.
    pub(super) numbers: Numbers,
    /// What is known of numbers in it, and of halves of barriers.
    pub(super) facts: Vec<Fact>,
    /// What is signalled at barriers when it returns, if that is known.
    pub(super) signals: Option<Vec<KnownSignal>>,
}

/// What a function begins with.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Beginning {
    /// The known numbers among its arguments.
    pub(super) arguments: Numbers,
    /// The barriers at which its caller has signalled and not waited, if they are known.
    pub(super) open: Option<Vec<Barrier>>,
    /// Whether it has the shared local memory of its caller.
    pub(super) is_of_caller: bool,
}

/// Executes one kernel or function.
pub struct Execution<'m, 'p> {
    pub(super) machine: &'m mut Machine<'p>,
    pub(super) record: &'m mut Record,
    pub(super) journal: &'m mut Journal,
    pub(super) plan: &'m mut Plan<'p>,
    /// The lanes that wait, by the instruction after their label.
    pub(super) waiting: BTreeMap<u32, Vec<Arrival>>,
    /// The loops in execution, outermost first.
    pub(super) frames: Vec<Frame>,
    pub(super) calls: Vec<Call>,
    /// What the instruction in execution does.
    pub(super) effects: Effects,
    /// Ranges in execution, one within the other.
    pub(super) n_nested: usize,
    pub(super) max_steps: u64,
    pub(super) summaries: Summaries,
    /// Under what branches of all lanes are taken in the first pass of a loop, by its place in the plan: as it was entered
    /// last.
    pub(super) first_conditions: FxHashMap<usize, Vec<(u32, Condition)>>,
    /// How the first pass of a loop leads to a second one, by its place in the plan.
    pub(super) seconds: FxHashMap<usize, WayBack>,
    /// Two lanes that may part at the end of the first pass of a loop, and the branch, by its place in the plan.
    pub(super) partings: FxHashMap<usize, (u32, u32, InstructionIndex)>,
    /// What lanes that leave a loop in its first pass leave unwritten, by its place in the plan.
    pub(super) gaps: FxHashMap<usize, Vec<Gap>>,
    /// Functions of the text that it has called, by their first instruction and what they began with.
    pub(super) followed: FxHashMap<(u32, Beginning), Rc<Outcome>>,
    /// Steps that were spent on these.
    pub(super) function_steps: u64,
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
            max_steps: n * STEPS_PER_INSTRUCTION + FURTHER_STEPS,
            summaries: Summaries::default(),
            first_conditions: FxHashMap::default(),
            seconds: FxHashMap::default(),
            partings: FxHashMap::default(),
            gaps: FxHashMap::default(),
            followed: FxHashMap::default(),
            function_steps: 0,
        }
    }
}

/// How the first pass of a loop leads to a second one.
pub(super) struct WayBack {
    /// The branch that goes back.
    pub(super) at: InstructionIndex,
    /// Under what it does.
    pub(super) given: Condition,
    /// What the variables hold then that the loop assigns.
    pub(super) held: Vec<(usize, Content)>,
    /// What is signalled at barriers then.
    pub(super) barriers: Barriers,
}

/// How a loop is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::interp::flow) enum Mode {
    /// Pass by pass.
    Concrete,
    /// One pass for all.
    General,
    /// The rest of a pass, from a label inside of it that is jumped to from outside.
    Entered,
}

/// A variable of which nothing is guessed: its index, the bytes of a slot, and for each slot the unknown and the value.
pub(super) type Apart = (usize, u8, Vec<(usize, Value, Value)>);

/// A loop in execution.
pub struct Frame {
    /// Its place in the plan.
    pub index: usize,
    pub(super) mode: Mode,
    pub(super) head: u32,
    pub(super) end: u32,
    pub(super) is_tangled: bool,
    pub(super) is_divergent: bool,
    /// The lanes that were active before the first pass.
    pub(super) entry: Flow,
    /// The lanes that go back to the head.
    pub(super) back: Vec<Flow>,
    /// Whether this is the first pass of all.
    pub(super) is_first: bool,
    /// Whether a branch is not decided, so that it cannot be executed pass by pass.
    pub(super) is_undecided: bool,
    /// What variables were guessed to hold at the head.
    pub(super) guesses: FxHashMap<usize, Guess>,
    /// Variables whose guess was wrong.
    pub(super) wrong: FxHashSet<usize>,
    /// What it assigns.
    pub(super) assigned: Rc<Assigned>,
    /// The lanes that are active at the start of any pass.
    pub(super) begin: Flow,
    /// Where there was an earlier pass.
    pub(super) earlier: Condition,
    /// What calls have destroyed at each branch back.
    pub(super) destroyed: Option<Vec<Destroyed>>,
    /// Unknowns before it.
    pub(super) n_unknowns: u32,
    /// The variables of which nothing is guessed: see [`Guess`].
    pub(super) apart: Vec<Apart>,
    /// How unknowns change from pass to pass; nothing where that differs.
    pub(super) steps: FxHashMap<Atom, Option<Counter>>,
    /// Where lanes leave it.
    pub(super) exits: Vec<Exit>,
    /// The lanes that leave it in its first pass, one entry for each exit.
    pub(super) first_exits: Vec<Lanes<Condition>>,
    /// Whether lanes may leave it in a way that is not looked at.
    pub(super) leaves_otherwise: bool,
    /// The branch at its end, if it goes back from there.
    pub(super) goes_back_at: Option<u32>,
    /// The barriers whose halves are in it, and what is signalled at each when a pass begins.
    pub(super) barriers: Rc<[Barrier]>,
    pub(super) begin_open: Vec<Condition>,
    /// The same when a pass ends; nothing where passes differ.
    pub(super) end_open: Option<Vec<Option<Signal>>>,
}

/// What a variable is guessed to hold at the head of a loop.
pub(in crate::interp::flow) struct Guess {
    pub(super) slots: Vec<Slot>,
    pub(super) unit: u8,
    /// The group of each slot: slots of one group are guessed to keep their differences.
    pub(super) groups: Vec<u32>,
    /// The unknown of each group, and what it stands for before the first pass.
    pub(super) before: Vec<(Value, Value)>,
    /// The slots of the first lanes of which nothing is guessed: their unknowns, and what these stand for before the first
    /// pass.
    pub(super) apart: Vec<(usize, Value, Value)>,
}

/// Bytes of a variable that a call has destroyed, and that nothing has written since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::interp::flow) struct Destroyed {
    pub(super) root: usize,
    /// The first byte.
    pub(super) start: u32,
    pub(super) n_bytes: u32,
    /// The call.
    pub(super) call: u32,
}

/// Bytes of a variable that lanes leave unwritten, or a bit of a predicate.
pub(in crate::interp::flow) struct Gap {
    pub(super) root: usize,
    /// The first byte, or the lane of the bit.
    pub(super) start: u32,
    /// How many bytes; none for a bit.
    pub(super) n_bytes: u32,
    /// Under what.
    pub(super) unwritten: Condition,
}
