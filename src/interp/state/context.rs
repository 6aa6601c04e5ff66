//! What one execution is about, and does not change in it.

use crate::base::id::Id as _;
use crate::interp::launch::{Launch, Thread};
use crate::program::{ControlFlow, InstructionIndex, Object, Operand, Program, VariableId, View};
use crate::spec::family::Barrier;
use crate::spec::instruction::{AccessKind, Flow};
use crate::spec::operation::Operation;
use crate::spec::predefined;
use crate::spec::{Instruction, ModifierName};

/// What one execution is about, and what does not change in it.
pub struct Context<'p> {
    /// The program.
    pub program: &'p Program,
    /// The kernel or function.
    pub object: &'p Object,
    /// Its control flow.
    pub flow: &'p ControlFlow,
    /// Bytes of a register.
    pub grf_bytes: u32,
    /// What is known of the launch.
    pub launch: &'p Launch,
    /// The thread that is executed, if something is known of it.
    pub thread: Option<&'p Thread>,
    /// Byte offset of the inputs that all threads of a group have in common, if threads are compared.
    pub shared_from: Option<i64>,
    /// The number of the thread, if threads are compared.
    pub thread_number: u32,
    /// The same within its group, if `%r0` holds it.
    pub number_in_group: Option<u32>,
    /// Whether it is a known group of a launch without an offset, where pointers are known numbers.
    pub knows_group: bool,
    /// The ids of that group.
    pub group_ids: [u32; 3],
    /// Variables whose address is taken, as numbers of roots, in order: a store through an unknown address may change them.
    pub addressed: Vec<usize>,
    /// Whether there are barriers with two halves.
    pub has_halves: bool,
    /// Whether there are calls of functions, which may pass barriers.
    pub has_function_calls: bool,
    /// The first instruction that may store to memory other than what threads share, from which lanes may load again what they
    /// stored.
    pub first_store: Option<u32>,
    /// Whether it may load what it has stored shortly before.
    pub loads_again: bool,
    /// Whether the rounding mode is known to be "to nearest".
    pub rounds_to_nearest: bool,
    /// For each variable, whether its values are followed; all are if it is empty.
    pub followed: Vec<bool>,
    /// Whether instructions that write nothing that is followed are not executed.
    pub skips: bool,
    /// What may be spent on loops as they stand, in the unit of [`crate::interp::Facts`].
    pub max_concrete_effort: u64,
    pub(in crate::interp) n_predefined: usize,
}

impl<'p> Context<'p> {
    /// All values are followed, and nothing is known of the thread.
    #[must_use]
    pub fn new(
        program: &'p Program,
        object: &'p Object,
        flow: &'p ControlFlow,
        grf_bytes: u32,
        launch: &'p Launch,
    ) -> Self {
        let mut cx = Self {
            program,
            object,
            flow,
            grf_bytes,
            launch,
            thread: None,
            shared_from: None,
            thread_number: 0,
            number_in_group: None,
            knows_group: false,
            group_ids: [0; 3],
            addressed: Vec::new(),
            has_halves: false,
            has_function_calls: false,
            first_store: None,
            loads_again: false,
            rounds_to_nearest: true,
            followed: Vec::new(),
            skips: false,
            max_concrete_effort: u64::MAX,
            n_predefined: predefined::all().len(),
        };
        cx.read_object();
        cx
    }

    fn read_object(&mut self) {
        let control = VariableId::of_predefined("%cr0");
        for (index, instruction) in self.program.instructions_in(self.object) {
            let row = self.program.row(instruction);
            let barrier = row.and_then(|row| row.barrier);
            if self.first_store.is_none() && row.is_some_and(|row| self.may_store(index, row)) {
                self.first_store = Some(index.0);
            }
            self.has_halves |= barrier.is_some_and(Barrier::has_halves);
            self.has_function_calls |= row.is_some_and(|row| row.flow == Flow::FunctionCall);
            for operand in self.program.operands_of(instruction) {
                if let Operand::AddressOf { variable, .. } = *operand
                    && let Some((root, _)) = self.root(variable)
                {
                    self.addressed.push(root);
                }
                // Writes of %cr0 may change the rounding mode; the ones that set bits 6, 7 and 10 do not.
                if operand.variable().is_some_and(|v| Some(v) == control) {
                    let touches_mode = self.program.operands_of(instruction).iter().any(|o| match o {
                        Operand::Immediate { bits, .. } => bits & 0x30 != 0,
                        _ => false,
                    });
                    let is_or = self.program.row(instruction).is_some_and(|r| r.operation == Some(Operation::Or));
                    if touches_mode || !is_or {
                        self.rounds_to_nearest = false;
                    }
                }
            }
        }
        self.addressed.sort_unstable();
        self.addressed.dedup();
    }

    /// Whether an instruction of that row may store to memory other than what threads share.
    fn may_store(&self, index: InstructionIndex, row: &Instruction) -> bool {
        let is_shared = || View::new(self.program, index)?.modifier_word(ModifierName::UNIT);
        row.flow == Flow::FunctionCall || row.accesses(AccessKind::Write) && is_shared() != Some("slm")
    }

    /// Of the first `n` lanes, those that are dispatched, as far as that is known.
    #[inline]
    #[must_use]
    pub fn n_dispatched(&self, n: u32) -> u32 {
        self.thread.map_or(n, |thread| thread.n_lanes.min(n))
    }

    /// Whether lanes may exist that were not dispatched.
    #[must_use]
    pub const fn may_skip_lanes(&self) -> bool {
        !self.launch.dispatches_all && self.thread.is_none()
    }

    /// Whether what is stored is remembered.
    #[must_use]
    pub const fn follows_memory(&self) -> bool {
        self.knows_group
    }

    /// Whether what is stored is remembered until something orders threads.
    #[must_use]
    pub const fn remembers_stores(&self) -> bool {
        self.loads_again && !self.knows_group && self.shared_from.is_none()
    }

    /// Whether the values of a variable are followed.
    #[inline]
    #[must_use]
    pub fn is_followed(&self, root: usize) -> bool {
        self.followed.get(root).copied().unwrap_or(true)
    }

    /// Whether a variable goes on by itself, so that each read gives a number of its own.
    #[inline]
    #[must_use]
    pub fn changes(&self, root: usize) -> bool {
        root < self.n_predefined && predefined::all()[root].changes
    }

    /// Number of variables: predefined ones first, then those of the object.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        self.n_predefined + (self.object.variables.end - self.object.variables.start) as usize
    }

    /// The number of a variable's root, and the byte offset of the variable in it; nothing for variables of other objects.
    #[inline]
    #[must_use]
    pub fn root(&self, variable: VariableId) -> Option<(usize, i64)> {
        let row = self.program.variables.get(variable)?;
        Some((self.index_of(row.root)?, i64::from(row.root_offset)))
    }

    #[inline]
    fn index_of(&self, variable: VariableId) -> Option<usize> {
        let index = variable.index();
        if index < self.n_predefined {
            return Some(index);
        }
        let range = &self.object.variables;
        (range.start..range.end).contains(&variable.0).then(|| self.n_predefined + index - range.start as usize)
    }

    /// The variable of a root.
    #[inline]
    #[must_use]
    pub fn variable_of(&self, root: usize) -> VariableId {
        if root < self.n_predefined {
            VariableId::from_index(root)
        } else {
            VariableId::from_index(root - self.n_predefined + self.object.variables.start as usize)
        }
    }

    /// The lanes that a kernel says it has; zero if it does not.
    #[must_use]
    pub fn simd_size(&self) -> u32 {
        self.attribute("SimdSize").filter(|n| matches!(n, 1 | 8 | 16 | 32)).unwrap_or(0)
    }

    /// The number that an attribute of the object gives.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<u32> {
        self.program.attribute_number(self.object, name).and_then(|n| u32::try_from(n).ok())
    }
}
