//! A state and its values: read everywhere, changed only by what executes an instruction.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, LANES};
use crate::interp::state::barriers::{Barriers, Passing};
use crate::interp::state::common::Common;
use crate::interp::state::content::{Content, PredicateContent};
use crate::interp::state::memory::{Bytes, Memory, Private};
use crate::interp::state::recent::Recent;
use crate::interp::state::{Context, FirstTurn, Flow};
use crate::program::InstructionIndex;
use rustc_hash::FxHashMap;

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
    /// The branch of all lanes that came last.
    pub last_uniform_branch: Option<InstructionIndex>,
    /// The branch that divided the lanes last.
    pub divided_at: Option<InstructionIndex>,
    /// How often everything has been forgotten: each time, another thread may have been waited for, and the first content
    /// of a variable is not that of the start any more.
    pub n_forgotten: u32,
    /// What has been stored at known addresses.
    pub(in crate::interp) memory: Memory,
    /// What has been stored since something ordered threads.
    pub(in crate::interp::state) recent: Recent,
    pub(in crate::interp::state) contents: Vec<Option<Content>>,
    pub(in crate::interp::state) predicates: Vec<Option<PredicateContent>>,
    /// Where earlier passes of a loop may have assigned each variable, though the text shows no write yet.
    pub(in crate::interp::state) may_be_assigned: Vec<Condition>,
    /// Variables that have been made since everything was forgotten last.
    pub(in crate::interp::state) touched: Vec<usize>,
}

/// Reads a state.
///
/// Reading makes values, and the contents of variables that nothing has accessed before. That changes nothing of what the
/// state stands for: it says in another way what was so before. No method changes more than that, and outside of this room
/// the state can only be looked at. So claims, which have a reader, change no state.
pub struct Reader<'p> {
    pub(in crate::interp::state) cx: Context<'p>,
    /// The values. They never change; new ones are added.
    pub domain: Domain,
    pub(in crate::interp::state) state: State,
    /// Where threads have memory for themselves.
    pub(in crate::interp::state) private: Private,
    /// The memory that threads have in common.
    pub(in crate::interp::state) common: Common,
    /// Whether a value was asked for that is not followed, so that what was found out is worth nothing.
    pub(in crate::interp::state) needs_all: bool,
    /// The condition of being reached for activities that decide nothing by themselves.
    pub(in crate::interp::state) reach: FxHashMap<[Condition; LANES as usize], Condition>,
    /// What `.any` (true) and `.all` make of bits that are different conditions.
    pub(in crate::interp::state) combined: FxHashMap<(bool, [Condition; LANES as usize]), Condition>,
    /// Whether a path leads to where the first condition holds and the second one does not, as far as that was asked.
    pub(in crate::interp::state) parted: FxHashMap<(Condition, Condition), bool>,
    /// What is known of the barriers that functions of the text pass.
    pub(in crate::interp) passing: Passing,
    /// The first passes of loops, each loop once.
    pub(in crate::interp::state) first_turns: Vec<FirstTurn>,
    /// The loops in execution whose lanes may part at the end of the first pass, outermost first.
    pub(in crate::interp) parting_loops: Vec<PartingLoop>,
}

/// A loop that is executed once for all passes, of which one lane may begin a pass, and another one not.
pub struct PartingLoop {
    /// Under what lanes are in the loop.
    pub alive: Lanes<Condition>,
    /// A lane that goes on.
    pub here: u32,
    /// One that leaves.
    pub away: u32,
    /// The branch.
    pub since: InstructionIndex,
}

impl<'p> Reader<'p> {
    /// What the state is one of.
    #[inline]
    #[must_use]
    pub const fn cx(&self) -> &Context<'p> {
        &self.cx
    }

    /// What is held.
    #[inline]
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Whether a value was asked for that is not followed, so that all has to be executed again.
    #[inline]
    #[must_use]
    pub const fn needs_all(&self) -> bool {
        self.needs_all
    }

    /// Whether an address belongs to memory that threads have for themselves.
    #[must_use]
    pub fn is_private(&self, address: u64) -> bool {
        self.private.contains(address)
    }
}

/// Changes a state. Only `flow` has one: it carries out what `transfer` says of an instruction ([`Change`](super::Change)),
/// and what branches, calls and loops do.
pub struct Machine<'p> {
    /// What reads it, for all that only look.
    pub(in crate::interp) reader: Reader<'p>,
    /// The bytes that have been stored to, in the order of time.
    pub(in crate::interp::state) stored: Vec<Bytes>,
}

impl<'p> Machine<'p> {
    /// The state at the start of a kernel or of a thread of it. The values are new ones, or go on from those of another
    /// thread.
    #[must_use]
    pub fn new(cx: Context<'p>, (domain, private, common): (Domain, Private, Common)) -> Self {
        let n_variables = cx.n_variables();
        let n_lanes = cx.simd_size();
        let n_active = cx.thread.map_or(n_lanes, |thread| thread.n_lanes);
        let state = State {
            flow: Flow { uniform: Condition::TRUE, active: Lanes::run(Condition::TRUE, LANES) },
            reached: Condition::TRUE,
            is_certain: true,
            barriers: Barriers::default(),
            last_uniform_branch: None,
            divided_at: None,
            n_forgotten: 0,
            memory: Memory::default(),
            recent: Recent::default(),
            contents: vec![None; n_variables],
            predicates: vec![None; n_variables],
            may_be_assigned: vec![Condition::FALSE; n_variables],
            touched: Vec::new(),
        };
        let reader = Reader {
            cx,
            domain,
            state,
            private,
            common,
            needs_all: false,
            reach: FxHashMap::default(),
            combined: FxHashMap::default(),
            parted: FxHashMap::default(),
            passing: Passing::default(),
            first_turns: Vec::new(),
            parting_loops: Vec::new(),
        };
        let mut machine = Self { reader, stored: Vec::new() };
        if n_active < n_lanes {
            let active = Lanes::of(LANES, |l| Condition::known(!(n_active..n_lanes).contains(&l)));
            machine.set_flow(Flow { uniform: Condition::TRUE, active });
        }
        machine
    }

    /// What the state is one of.
    #[inline]
    #[must_use]
    pub const fn cx(&self) -> &Context<'p> {
        &self.reader.cx
    }

    /// What is held.
    #[inline]
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.reader.state
    }

    /// What is held, to be changed.
    #[inline]
    pub const fn state_mut(&mut self) -> &mut State {
        &mut self.reader.state
    }

    /// The first passes of loops, to be changed.
    pub const fn first_turns_mut(&mut self) -> &mut Vec<FirstTurn> {
        &mut self.reader.first_turns
    }

    /// The values, the memory that threads have for themselves, and that which they have in common, for the next thread.
    #[must_use]
    pub fn into_parts(self) -> (Domain, Private, Common) {
        (self.reader.domain, self.reader.private, self.reader.common)
    }
}
