//! The annotated program: declarations, instructions and operands of one file as flat arrays, with the places of
//! their parts in side tables. It holds names and numbers, but no text.

pub mod cfg;
pub mod dataflow;
pub mod footprint;
pub mod fragment;
pub mod instruction;
pub mod lsc;
pub mod object;
pub mod operand;
pub mod pardon;
pub mod paths;
mod places;
pub mod region;
pub mod variable;
pub mod view;

pub use cfg::ControlFlow;
pub use footprint::Footprint;
pub use instruction::{Instruction, InstructionIndex, InstructionSpans, ModifierUse};
pub use object::{Attribute, AttributeValue, Input, Label, LabelId, Object, ObjectId, ObjectKind};
pub use operand::{Operand, OperandSpans, SourceModifier};
pub use region::{Region, RegionForm};
pub use variable::{Variable, VariableId, VariableSpans};
pub use view::View;

use crate::base::diagnostic::Diagnostic;
use crate::base::id::{Id as _, IdVec};
use crate::base::span::Span;
use crate::base::symbol::{Interner, Symbol};
use crate::spec::{InstructionId, PlatformSet};
use lsc::{LscAddress, LscItem, LscShape};
use rustc_hash::{FxHashMap, FxHashSet};

/// Everything that one file says.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The names in it.
    pub names: Interner,
    /// `.version`: major and minor, with its place.
    pub version: Option<(u32, u32, Span)>,
    /// The platform that a `//Platform:` trailer names, with the place of the name.
    pub platform_trailer: Option<(PlatformSet, Span)>,
    /// Whether a compiler printed the text. Only [`pardon`] asks, so that each use of it has a name and a reason.
    is_compiler_dump: bool,
    /// Kernels and functions, in order.
    pub objects: IdVec<ObjectId, Object>,
    /// Variables of all objects; the predefined ones come first, in the order of [`crate::spec::predefined::all`].
    pub variables: IdVec<VariableId, Variable>,
    /// The places of their declarations; empty for predefined ones.
    pub variable_spans: IdVec<VariableId, VariableSpans>,
    /// Instructions of all objects.
    pub instructions: IdVec<InstructionIndex, Instruction>,
    /// The places of their parts.
    pub instruction_spans: IdVec<InstructionIndex, InstructionSpans>,
    /// For an instruction that says the same as others of other variables, which are declared alike, the first of them.
    /// `u32::MAX` for others, and nothing for those behind the last one that was copied.
    pub(crate) alike: Vec<u32>,
    /// Operands of all instructions.
    pub operands: Vec<Operand>,
    /// The places of their parts, one for each.
    pub operand_spans: Vec<OperandSpans>,
    /// Which slot of the instruction's row each fills.
    pub operand_slots: Vec<u8>,
    /// Modifiers of all instructions.
    pub modifiers: Vec<ModifierUse>,
    /// Labels of all objects.
    pub labels: IdVec<LabelId, Label>,
    /// `.kernel_attr` of all objects.
    pub attributes: Vec<Attribute>,
    /// `.input` and `.implicit_*` of all objects.
    pub inputs: Vec<Input>,
    /// The functions by their names; none for a name that several have.
    pub functions: FxHashMap<Symbol, Option<ObjectId>>,
    /// Functions of other files that `.funcdecl` declares.
    pub declared_functions: FxHashSet<Symbol>,
    /// Labels in `switchjmp` lists: name and place.
    pub label_lists: Vec<(Symbol, Span)>,
    /// Addresses of LSC messages.
    pub lsc_addresses: Vec<LscAddress>,
    /// Items between the brackets of LSC addresses.
    pub lsc_items: Vec<LscItem>,
    /// Data shapes of LSC messages.
    pub lsc_shapes: Vec<LscShape>,
    /// What was found while reading: faults of syntax and of names.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were of the kinds of which there are very many.
    pub left_out: Vec<Diagnostic>,
    /// Number of statements, labels and braces read.
    pub n_statements: u32,
    /// Whether the text is no vISA, which was reported.
    pub is_foreign: bool,
    /// What is known of it if the text is a fragment of a host source.
    pub fragment: Option<Box<fragment::Fragment>>,
}

impl Program {
    /// The instruction's operands.
    #[must_use]
    pub fn operands_of(&self, instruction: &Instruction) -> &[Operand] {
        &self.operands[instruction.operands()]
    }

    /// The places of the instruction's operands.
    #[must_use]
    pub fn operand_spans_of(&self, instruction: &Instruction) -> &[OperandSpans] {
        &self.operand_spans[instruction.operands()]
    }

    /// The instruction's modifiers.
    #[must_use]
    pub fn modifiers_of(&self, instruction: &Instruction) -> &[ModifierUse] {
        &self.modifiers[instruction.modifiers()]
    }

    /// The instruction's row of the specification.
    #[must_use]
    pub fn row(&self, instruction: &Instruction) -> Option<&'static crate::spec::Instruction> {
        instruction.spec.map(InstructionId::row)
    }

    /// Number of elements of a variable where registers have `grf_bytes` bytes.
    #[must_use]
    pub fn n_elements(&self, variable: VariableId, grf_bytes: u32) -> u32 {
        match variable.predefined() {
            Some(row) => row.n_elements[usize::from(grf_bytes == 64)],
            None if grf_bytes == 32 && self.variables[variable].is(variable::FLAG_HALVED) => {
                self.variables[variable].n_elements / 2
            }
            None => self.variables[variable].n_elements,
        }
    }

    /// Bytes of a variable where registers have `grf_bytes` bytes; bits for predicates.
    #[must_use]
    pub fn variable_bytes(&self, variable: VariableId, grf_bytes: u32) -> u32 {
        self.n_elements(variable, grf_bytes).saturating_mul(self.variables[variable].element_bytes())
    }

    /// What stands in the brackets and in the parentheses of an address.
    pub fn lsc_values(&self, address: &lsc::LscAddress) -> impl Iterator<Item = lsc::LscValue> {
        self.lsc_items[address.items()].iter().map(|i| i.value).chain(address.surface)
    }

    /// The attributes of an object.
    #[must_use]
    pub fn attributes_of(&self, object: &Object) -> &[Attribute] {
        &self.attributes[object.attributes.start as usize..object.attributes.end as usize]
    }

    /// The inputs of an object, in the order of their declarations.
    #[must_use]
    pub fn inputs_of(&self, object: &Object) -> &[Input] {
        &self.inputs[object.inputs.start as usize..object.inputs.end as usize]
    }

    /// The labels of an object, in the order of the text.
    #[must_use]
    pub fn labels_of(&self, object: &Object) -> &[Label] {
        &self.labels.as_slice()[object.labels.start as usize..object.labels.end as usize]
    }

    /// The number that an object says in an attribute.
    #[must_use]
    pub fn attribute_number(&self, object: &Object, name: &str) -> Option<i64> {
        match self.attributes_of(object).iter().find(|a| self.names.name(a.name) == name)?.value {
            AttributeValue::Number(n) => Some(n),
            _ => None,
        }
    }

    /// The name of a variable.
    #[must_use]
    pub fn variable_name(&self, variable: VariableId) -> &str {
        self.names.name(self.variables[variable].name)
    }

    /// Instructions of an object, with their indices.
    #[must_use]
    pub fn instructions_in(
        &self,
        object: &Object,
    ) -> impl DoubleEndedIterator<Item = (InstructionIndex, &Instruction)> {
        let range = object.instructions.clone();
        self.instructions.as_slice()[range.start as usize..range.end as usize]
            .iter()
            .enumerate()
            .map(move |(i, x)| (InstructionIndex::from_index(range.start as usize + i), x))
    }

    /// The instructions of an object that may write what nothing else shows: those that are unknown, or whose destination is
    /// no operand.
    pub fn unread_writes(&self, object: &Object) -> impl Iterator<Item = InstructionIndex> {
        let is_unread = |instruction: &Instruction| {
            let Some(row) = self.row(instruction) else { return true };
            let writes = |slot: &u8| row.operands[usize::from(*slot)].role.writes();
            let slots = self.operand_slots[instruction.operands()].iter();
            let mut operands = self.operands[instruction.operands()].iter().zip(slots);
            operands.any(|(operand, slot)| *operand == Operand::Broken && writes(slot))
        };
        self.instructions_in(object).filter(move |(_, i)| is_unread(i)).map(|(index, _)| index)
    }

    /// The name of the kernel or function around a place of the text; empty if there is none.
    #[must_use]
    pub fn kernel_at(&self, offset: u32) -> &str {
        let objects = self.objects.as_slice();
        let next = objects.partition_point(|o| o.span.start <= offset);
        match next.checked_sub(1).map(|i| &objects[i]) {
            Some(object) if object.kind != ObjectKind::Missing => self.names.name(object.name),
            _ => "",
        }
    }

    /// The object that holds an instruction: each instruction is in one.
    #[must_use]
    pub fn object_of(&self, instruction: InstructionIndex) -> ObjectId {
        ObjectId::from_index(self.objects.as_slice().partition_point(|o| o.instructions.end <= instruction.0))
    }
}
