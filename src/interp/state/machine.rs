//! The machine of abstract execution: a state, the values that it speaks of, and what it is a state of.

use crate::base::id::Id as _;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, LANES};
use crate::interp::launch::{Launch, Thread};
use crate::interp::state::barriers::Barriers;
use crate::interp::state::content::{Content, NO_WRITER, PredicateContent};
use crate::interp::state::memory::{Bytes, Memory, Private};
use crate::interp::state::{FirstTurn, Flow, Observed};
use crate::program::{Object, Operand, Program, VariableId};
use crate::spec::family::Barrier;
use crate::spec::operation::Operation;
use crate::spec::predefined;
use rustc_hash::FxHashMap;

/// What one execution is about, and what does not change in it.
pub struct Context<'p> {
    /// The program.
    pub program: &'p Program,
    /// The kernel or function.
    pub object: &'p Object,
    /// Bytes of a register.
    pub grf_bytes: u32,
    /// What is known of the launch.
    pub launch: &'p Launch,
    /// The thread that is executed, if something is known of it.
    pub(in crate::interp) thread: Option<&'p Thread>,
    /// Byte offset of the inputs that all threads of a group have in common, if threads are compared.
    pub(in crate::interp) shared_from: Option<i64>,
    /// The number of the thread, if threads are compared.
    pub(in crate::interp) thread_number: u32,
    /// Whether it is the first group of a launch without an offset, where pointers are known numbers.
    pub(in crate::interp) is_first_group: bool,
    pub(in crate::interp) n_predefined: usize,
    /// Variables whose address is taken: a store through an unknown address may change them.
    pub(in crate::interp) addressed: Vec<usize>,
    /// Whether there are barriers with two halves.
    pub(in crate::interp) has_halves: bool,
    /// Whether the rounding mode is known to be "to nearest".
    pub(in crate::interp) rounds_to_nearest: bool,
    /// For each variable, whether its values are followed; all are if it is empty.
    pub(in crate::interp) followed: Vec<bool>,
    /// Whether instructions that write nothing that is followed are not executed.
    pub(in crate::interp) skips: bool,
}

/// What is held at one point of the program.
#[derive(Clone, Debug)]
pub struct State {
    /// Which lanes are active.
    pub flow: Flow,
    /// Whether this instruction is reached, as a condition.
    pub reached: Condition,
    /// Whether all of that is certain, so that nothing depends on it.
    pub is_certain: bool,
    /// What has been signalled at barriers and not been waited for.
    pub barriers: Barriers,
    /// For each instruction, which ones wrote its sources when it was executed last.
    pub(in crate::interp) sources_of: Vec<[u32; 3]>,
    /// The branch of all lanes that came last.
    pub(in crate::interp) last_uniform_branch: u32,
    /// The branch that divided the lanes last.
    pub(in crate::interp) divided_at: Option<u32>,
    /// Whether everything has been forgotten since that was asked last: another thread may have been waited for.
    pub(in crate::interp) is_unclear: bool,
    /// What has been stored at known addresses.
    pub(in crate::interp) memory: Memory,
    pub(in crate::interp) contents: Vec<Option<Content>>,
    pub(in crate::interp) predicates: Vec<Option<PredicateContent>>,
    /// Where earlier passes of a loop may have assigned each variable, though the text shows no write yet.
    pub(in crate::interp) may_be_assigned: Vec<Condition>,
    /// Variables that have been made since everything was forgotten last.
    pub(in crate::interp) touched: Vec<usize>,
    /// Whether everything has been forgotten once, so that the first content of a variable is not that of the start.
    pub(in crate::interp) is_forgotten: bool,
}

/// A state, the values that it speaks of, and what it is a state of.
pub struct Machine<'p> {
    /// What does not change.
    pub cx: Context<'p>,
    /// The values.
    pub domain: Domain,
    /// What is held.
    pub state: State,
    /// The bytes that have been stored to, in the order of time.
    pub(in crate::interp) stored: Vec<Bytes>,
    /// Where threads have memory for themselves.
    pub(in crate::interp) private: Private,
    /// What the instruction in execution has come across.
    pub(in crate::interp) observed: Vec<(usize, Observed)>,
    /// Whether a value was asked for that is not followed, so that what was found out is worth nothing.
    pub(in crate::interp) needs_all: bool,
    /// The condition of being reached for activities that decide nothing by themselves.
    pub(in crate::interp) reach: FxHashMap<[Condition; LANES as usize], Condition>,
    /// Whether a path leads to where the first condition holds and the second one does not, as far as that was asked.
    pub(in crate::interp) parted: FxHashMap<(Condition, Condition), bool>,
    /// The first passes of loops, each loop once.
    pub(in crate::interp) first_turns: Vec<FirstTurn>,
}

impl<'p> Machine<'p> {
    /// The state at the start of a kernel.
    pub fn new(program: &'p Program, object: &'p Object, grf_bytes: u32, launch: &'p Launch) -> Self {
        let n_predefined = predefined::all().len();
        let n_variables = n_predefined + (object.variables.end - object.variables.start) as usize;
        let mut machine = Self {
            cx: Context {
                program,
                object,
                grf_bytes,
                launch,
                thread: None,
                shared_from: None,
                thread_number: 0,
                is_first_group: false,
                n_predefined,
                addressed: Vec::new(),
                has_halves: false,
                rounds_to_nearest: true,
                followed: Vec::new(),
                skips: false,
            },
            domain: Domain::new(),
            state: State {
                flow: Flow { uniform: Condition::TRUE, active: Lanes::run(Condition::TRUE, LANES) },
                reached: Condition::TRUE,
                is_certain: true,
                barriers: Barriers::default(),
                sources_of: vec![[NO_WRITER; 3]; (object.instructions.end - object.instructions.start) as usize],
                last_uniform_branch: NO_WRITER,
                divided_at: None,
                is_unclear: false,
                memory: Memory::default(),
                contents: vec![None; n_variables],
                predicates: vec![None; n_variables],
                may_be_assigned: vec![Condition::FALSE; n_variables],
                touched: Vec::new(),
                is_forgotten: false,
            },
            stored: Vec::new(),
            private: Private::default(),
            observed: Vec::new(),
            needs_all: false,
            reach: FxHashMap::default(),
            parted: FxHashMap::default(),
            first_turns: Vec::new(),
        };
        machine.find_addressed();
        machine
    }

    /// The same, of one thread of which something is known.
    #[must_use]
    pub fn of_thread(mut self, thread: Option<&'p Thread>) -> Self {
        self.cx.thread = thread;
        if let Some(thread) = thread
            && thread.n_lanes < self.simd_size()
        {
            let n_lanes = self.simd_size();
            let active = Lanes::of(LANES, |l| Condition::known(!(thread.n_lanes..n_lanes).contains(&l)));
            self.set_flow(Flow { uniform: Condition::TRUE, active });
        }
        self
    }

    /// Of the first `n` lanes, those that are dispatched, as far as that is known.
    pub fn n_dispatched(&self, n: u32) -> u32 {
        self.cx.thread.map_or(n, |thread| thread.n_lanes.min(n))
    }

    /// Whether lanes may exist that were not dispatched.
    pub const fn may_skip_lanes(&self) -> bool {
        !self.cx.launch.dispatches_all && self.cx.thread.is_none()
    }

    /// Whether the values of a variable are followed.
    pub fn is_followed(&self, root: usize) -> bool {
        self.cx.followed.get(root).copied().unwrap_or(true)
    }

    pub(in crate::interp) fn find_addressed(&mut self) {
        let control = VariableId::of_predefined("%cr0");
        for (_, instruction) in self.cx.program.instructions_in(self.cx.object) {
            let barrier = self.cx.program.row(instruction).and_then(|row| row.barrier);
            self.cx.has_halves |= barrier.is_some_and(Barrier::has_halves);
            for operand in self.cx.program.operands_of(instruction) {
                if let Operand::AddressOf { variable, .. } = *operand
                    && let Some((root, _)) = self.root(variable)
                {
                    self.cx.addressed.push(root);
                }
                // Writes of %cr0 may change the rounding mode; the ones that set bits 6, 7 and 10 do not.
                if operand.variable().is_some_and(|v| Some(v) == control) {
                    let touches_mode = self.cx.program.operands_of(instruction).iter().any(|o| match o {
                        Operand::Immediate { bits, .. } => bits & 0x30 != 0,
                        _ => false,
                    });
                    let is_or = self.cx.program.row(instruction).is_some_and(|r| r.operation == Some(Operation::Or));
                    if touches_mode || !is_or {
                        self.cx.rounds_to_nearest = false;
                    }
                }
            }
        }
        self.cx.addressed.sort_unstable();
        self.cx.addressed.dedup();
    }

    /// Variables whose address is taken.
    pub fn addressed(&self) -> &[usize] {
        &self.cx.addressed
    }

    /// Number of variables.
    pub fn n_variables(&self) -> usize {
        self.state.contents.len()
    }

    /// The number of a variable's root, and the byte offset of the variable in it; nothing for variables of other objects.
    pub fn root(&self, variable: VariableId) -> Option<(usize, i64)> {
        let row = self.cx.program.variables.get(variable)?;
        Some((self.index_of(row.root)?, i64::from(row.root_offset)))
    }

    pub(in crate::interp) fn index_of(&self, variable: VariableId) -> Option<usize> {
        let index = variable.index();
        if index < self.cx.n_predefined {
            return Some(index);
        }
        let range = &self.cx.object.variables;
        (range.start..range.end).contains(&variable.0).then(|| self.cx.n_predefined + index - range.start as usize)
    }

    /// The variable of a root.
    pub fn variable_of(&self, root: usize) -> VariableId {
        if root < self.cx.n_predefined {
            VariableId::from_index(root)
        } else {
            VariableId::from_index(root - self.cx.n_predefined + self.cx.object.variables.start as usize)
        }
    }

    /// The lanes that a kernel says it has; zero if it does not.
    pub fn simd_size(&self) -> u32 {
        self.attribute("SimdSize").filter(|n| matches!(n, 1 | 8 | 16 | 32)).unwrap_or(0)
    }

    pub(in crate::interp) fn attribute(&self, name: &str) -> Option<u32> {
        self.cx.program.attribute_number(self.cx.object, name).and_then(|n| u32::try_from(n).ok())
    }
}
