//! What is known of the launch of a kernel.

mod dimensions;
mod layout;
mod threads;

pub use layout::{Layout, Payload, Places};
pub use threads::{Group, Shape, shapes};

use crate::program::variable::VariableId;
use crate::program::{InstructionIndex, Object, Program};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Uses and ends of variables of which is asked whether the variable is within its life there.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    /// In order.
    questions: Vec<(InstructionIndex, VariableId)>,
    variables: FxHashSet<VariableId>,
}

impl Lives {
    /// Asks at these instructions about these variables.
    #[must_use]
    pub fn new(mut questions: Vec<(InstructionIndex, VariableId)>) -> Self {
        questions.sort_unstable();
        questions.dedup();
        let variables = questions.iter().map(|(_, variable)| *variable).collect();
        Self { questions, variables }
    }

    /// Whether nothing is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// All questions, in order.
    #[must_use]
    pub fn questions(&self) -> &[(InstructionIndex, VariableId)] {
        &self.questions
    }

    /// The variables about which is asked at an instruction.
    pub fn at(&self, instruction: InstructionIndex) -> impl Iterator<Item = VariableId> {
        let first = self.questions.partition_point(|(asked, _)| *asked < instruction);
        let here = self.questions[first..].iter().take_while(move |(asked, _)| *asked == instruction);
        here.map(|(_, variable)| *variable)
    }

    /// Whether it is asked at an instruction about a variable.
    #[must_use]
    pub fn holds(&self, instruction: InstructionIndex, variable: VariableId) -> bool {
        self.questions.binary_search(&(instruction, variable)).is_ok()
    }

    /// Whether it is asked anywhere about a variable.
    #[must_use]
    pub fn follows(&self, variable: VariableId) -> bool {
        self.variables.contains(&variable)
    }
}

/// What is known of the launch.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Bytes of shared local memory, if they are known.
    pub slm_bytes: Option<u64>,
    /// Whether every lane is dispatched: the target is `cm`.
    pub dispatches_all: bool,
    /// Instructions with faults, ascending: what they do is not known.
    pub faulty: Vec<u32>,
    /// The threads of a group; empty if its size is not known.
    pub threads: Vec<Thread>,
    /// Whether those are all threads that there are.
    pub has_all_threads: bool,
    /// The size of the group, as far as it is handed over in inputs.
    pub sizes: Vec<Given>,
    /// Where the offset of global ids is handed over, as zeros.
    pub offsets: Vec<Given>,
    /// The input with the number of dimensions of the launch, if that is not known.
    pub dimensions: Option<VariableId>,
    /// Arguments that are taken to be known numbers, where the group is known.
    pub arguments: Vec<Given>,
    /// Whether barriers order accesses to shared local memory without a fence.
    pub orders_slm: bool,
    /// Whether a fence of either part of memory may be one of both.
    pub has_one_fence: bool,
    /// Whether facts about what only one of the paths leaves undefined are of no use to the caller.
    pub skips_paths: bool,
    /// Whether numbers that are wrong for one of the paths alone are of no use: either these facts are of none, or the text
    /// itself knows which paths come together.
    pub trusts_paths: bool,
    /// Whether copies of what nothing has written count as written.
    pub trusts_copies: bool,
    /// The buffers whose size is known.
    pub buffers: Vec<Buffer>,
    /// The buffers that are reached by pointers and as surfaces alike.
    pub reached: Vec<Ways>,
    /// Whether it is asked of every message whether it stays within its memory.
    pub notes_bounds: bool,
    /// Whether pointers to shared local memory that come from elsewhere may have the bit that compilers set in them.
    pub has_tags: bool,
    /// What is asked about the lives of variables.
    pub lives: Lives,
    /// Set when the caller no longer waits for the facts.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// A byte of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputByte {
    /// The input.
    pub variable: VariableId,
    /// Byte offset in it.
    pub offset: u32,
}

impl InputByte {
    /// The number of the pointer that the input is, where pointers are taken to be known numbers.
    #[must_use]
    pub fn number(&self) -> u64 {
        // A program has fewer variables than there are pointers.
        u64::from(self.variable.0) + 0x1_0000 * u64::from(self.offset / 8)
    }
}

/// A buffer whose size is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Its name, as the user gave it.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// How the kernel reaches it.
    pub ways: Ways,
}

/// How a kernel reaches a buffer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Ways {
    /// The input that is a pointer to it.
    pub pointer: Option<InputByte>,
    /// The surface that it is.
    pub surface: Option<u64>,
    /// The input that says where the state of that surface is.
    pub state: Option<InputByte>,
    /// The input that says where in the surface it begins.
    pub offset: Option<InputByte>,
}

/// An element of an input whose value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// The input.
    pub variable: VariableId,
    /// Byte offset in it.
    pub offset: u32,
    /// Bytes of the element.
    pub bytes: u8,
    /// The number.
    pub number: u64,
    /// What is added to it.
    pub base: Option<Base>,
}

/// A number that is the same in all lanes of a thread, but not in all threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base {
    /// Dimension x, y or z (0 to 2) of the local id that it is.
    pub dimension: u8,
    /// It is a multiple of two to this.
    pub zeros: u8,
    /// The greatest value.
    pub high: u32,
}

/// A thread of a group, or several of which the same is known.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Lanes that are dispatched, counted from lane 0.
    pub n_lanes: u32,
    /// The local ids, where they are handed over in inputs.
    pub ids: Vec<Given>,
}

impl Launch {
    /// Whether the caller no longer waits for the facts.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }

    /// Whether an instruction has a fault.
    #[must_use]
    pub fn is_faulty(&self, instruction: u32) -> bool {
        self.faulty.binary_search(&instruction).is_ok()
    }
}

/// The input of an object that holds a byte, counted as the offsets of inputs are.
#[must_use]
pub fn input_byte(program: &Program, object: &Object, at: u32) -> Option<InputByte> {
    let inputs = program.inputs_of(object);
    inputs.iter().find_map(|input| {
        let offset = i64::from(at) - input.offset;
        (0..input.size).contains(&offset).then_some(InputByte { variable: input.variable, offset: offset as u32 })
    })
}
