//! Function calls, and what instructions write at all.

use crate::interp::domain::Value;
use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Change, Location, Reader};
use crate::interp::transfer::effects::Effects;
use crate::program::{Object, Operand, Region, VariableId, View};
use crate::spec::OperandName;
use crate::spec::instruction::{Flow, Role};
use crate::spec::operation::Operation;
use std::ops::Range;

/// Functions of the compiler that order memory, and do nothing else.
const FENCE_FUNCTIONS: &str = "__intel_memfence";

/// Whether a call only orders memory.
#[must_use]
pub fn is_fence_function(view: &View) -> bool {
    let is_named = |operand: &Operand| match operand {
        Operand::Name { name, .. } => view.program.names.name(*name).starts_with(FENCE_FUNCTIONS),
        _ => false,
    };
    view.row.flow == Flow::FunctionCall && view.operands.first().is_some_and(is_named)
}

/// The function that a call names, if the text has exactly one of that name.
#[must_use]
pub fn callee<'p>(view: &View<'p>) -> Option<&'p Object> {
    let Some(Operand::Name { name, .. }) = view.operands.first() else { return None };
    let id = view.program.functions.get(name).copied().flatten().filter(|_| !is_fence_function(view))?;
    Some(&view.program.objects[id])
}

/// Known numbers in dwords of a variable: the byte at which each begins, and the number.
pub type Numbers = Vec<(u32, u32)>;

/// Bytes of a variable that a call concerns, and where it does.
type Called = (Range<u32>, Condition);

/// The lane that a byte belongs to.
#[derive(Clone, Copy)]
enum Owner {
    /// No variable names it.
    None,
    /// The one lane of an element, and bytes of which whole elements consist.
    Lane(u32, u8),
    /// All lanes.
    All,
}

impl<'p> Reader<'p> {
    /// Where a call concerns the first bytes of a variable: in each lane that makes it, the elements of that lane. Which
    /// elements these are follows from the variables that name the bytes; what is no vector concerns all lanes.
    fn called(&mut self, view: &View<'p>, root: usize, n_bytes: u32, lanes: &Lanes<Condition>) -> Vec<Called> {
        let n = lanes.len();
        if let Some(same) = lanes.as_same() {
            return vec![(0..n_bytes, same)];
        }
        let together = self.reach_of(lanes);
        let mut owners = vec![Owner::None; n_bytes as usize];
        let range = self.cx().object.variables.clone();
        for variable in (range.start..range.end).map(VariableId).filter(|_| view.first_lane() == 0) {
            let Some((_, start)) = self.cx().root(variable).filter(|(own, _)| *own == root) else { continue };
            let row = &self.cx().program.variables[variable];
            let bytes = row.element_bytes().max(1);
            let end = self.cx().program.variable_bytes(variable, self.cx().grf_bytes);
            let is_vector = end / bytes >= n && (end / bytes).is_multiple_of(n);
            let Ok(start) = u32::try_from(start) else { continue };
            for byte in start..(start + end).min(n_bytes) {
                let lane = (byte - start) / bytes % n;
                let owner = &mut owners[byte as usize];
                *owner = match *owner {
                    Owner::None if is_vector => Owner::Lane(lane, bytes.min(4) as u8),
                    Owner::Lane(other, _) if is_vector && other == lane => *owner,
                    _ => Owner::All,
                };
            }
        }
        let mut parts: Vec<Called> = Vec::new();
        for (byte, owner) in (0..).zip(owners) {
            let condition = match owner {
                Owner::Lane(lane, bytes) => {
                    if byte % u32::from(bytes) == 0 {
                        self.content(root, byte, bytes);
                    }
                    lanes.at(lane)
                }
                Owner::None | Owner::All => together,
            };
            match parts.last_mut() {
                Some((range, last)) if *last == condition => range.end = byte + 1,
                _ => parts.push((byte..byte + 1, condition)),
            }
        }
        parts
    }

    /// A call leaves nothing in a variable.
    fn destroy(&mut self, view: &View<'p>, root: usize, n_bytes: u32, effects: &mut Effects) {
        for (bytes, active) in self.called(view, root, n_bytes, &effects.exec_mask.clone()) {
            effects.changes.push(Change::Undefine { root, bytes, active, writer: view.index.0 });
        }
    }

    /// `fcall` and its like: arguments are handed over and destroyed, results come back.
    pub(super) fn call_function(&mut self, view: &View<'p>, effects: &mut Effects) {
        let orders = is_fence_function(view);
        effects.changes.push(Change::ForgetRecent);
        effects.changes.push(if orders { Change::ForgetSharedMemory } else { Change::ForgetMemory });
        let number = |name| match view.numbered_operand(name) {
            Some((_, Operand::Number { value })) => u32::try_from(*value).ok(),
            _ => None,
        };
        let (Some(n_arguments), Some(n_results)) = (number(OperandName::ARG_SIZE), number(OperandName::RETURN_SIZE))
        else {
            return effects.changes.push(Change::ForgetEverything);
        };
        let (Some(arg), Some(retval)) = (VariableId::of_predefined("%arg"), VariableId::of_predefined("%retval"))
        else {
            return;
        };
        let n_bytes = n_arguments.min(64) * self.cx().grf_bytes;
        if let Some((root, _)) = self.cx().root(arg) {
            self.content(root, 0, 4);
            let end = self.cx().program.variable_bytes(arg, self.cx().grf_bytes);
            self.destroy(view, root, n_bytes.min(end), effects);
        }
        if let Some((root, _)) = self.cx().root(retval) {
            let end = self.cx().program.variable_bytes(retval, self.cx().grf_bytes);
            self.content(root, 0, 4);
            self.destroy(view, root, end, effects);
            let n_bytes = (n_results.min(64) * self.cx().grf_bytes).min(end);
            for (bytes, active) in self.called(view, root, n_bytes, &effects.exec_mask.clone()) {
                effects.changes.push(Change::Forget { root, bytes, active, origin: Origin::Call });
            }
        }
    }

    /// The known numbers among the arguments that a call hands over.
    pub(in crate::interp) fn argument_numbers(&mut self, view: &View<'p>) -> Numbers {
        match view.numbered_operand(OperandName::ARG_SIZE) {
            Some((_, Operand::Number { value })) => self.numbers_in("%arg", u32::try_from(*value).unwrap_or(0)),
            _ => Numbers::new(),
        }
    }

    /// The known numbers in the first registers of a predefined variable.
    pub(in crate::interp) fn numbers_in(&mut self, name: &str, n_registers: u32) -> Numbers {
        let Some(variable) = VariableId::of_predefined(name) else { return Numbers::new() };
        let Some((root, _)) = self.cx().root(variable) else { return Numbers::new() };
        let grf_bytes = self.cx().grf_bytes;
        let end = (n_registers.min(64) * grf_bytes).min(self.cx().program.variable_bytes(variable, grf_bytes));
        let reached = self.state().reached;
        let mut numbers = Numbers::new();
        for byte in (0..end).step_by(4) {
            let at = Location { root, start: byte.into(), bytes: 4, region: Region::SCALAR };
            let number = self.read_one(at, reached).and_then(|(value, _)| u32::try_from(value.as_known()?).ok());
            numbers.extend(number.map(|number| (byte, number)));
        }
        numbers
    }

    /// A call gives back numbers that are known, in each lane that makes it.
    pub(in crate::interp) fn give_back(&mut self, view: &View<'p>, numbers: &Numbers, effects: &mut Effects) {
        let Some((root, _)) = VariableId::of_predefined("%retval").and_then(|v| self.cx().root(v)) else { return };
        let Some((end, _)) = numbers.last() else { return };
        let Some((_, Operand::Number { value })) = view.numbered_operand(OperandName::RETURN_SIZE) else { return };
        let n_bytes = u32::try_from(*value).unwrap_or(0).min(64) * self.cx().grf_bytes;
        let called = self.called(view, root, n_bytes.min(end + 4), &effects.exec_mask.clone());
        for (byte, number) in numbers {
            let Some((_, active)) = called.iter().find(|(bytes, _)| bytes.contains(byte)) else { continue };
            effects.changes.push(Change::Write {
                at: Location { root, start: (*byte).into(), bytes: 4, region: Region::SCALAR },
                values: Lanes::run(Value::known((*number).into(), 4), 1),
                exec_mask: Lanes::run(*active, 1),
            });
        }
    }

    /// Adds the variables that an instruction writes. Returns whether it also writes through addresses, and
    /// so may write any variable whose address is taken.
    #[must_use]
    pub fn written_by(&self, view: &View<'p>, written: &mut Vec<usize>) -> bool {
        let mut is_indirect = false;
        for (place, operand) in view.operands.iter().enumerate() {
            let slot = view.slot_of(place);
            if slot.role == Role::Source {
                continue;
            }
            if matches!(operand, Operand::Indirect { .. }) {
                is_indirect = true;
            } else if let Some((root, _)) =
                operand.variable().filter(|v| *v != VariableId::NULL).and_then(|v| self.cx().root(v))
            {
                written.push(root);
            }
        }
        if view.row.operation == Some(Operation::Add3)
            && let Some((root, _)) = view.instruction.predicate.and_then(|p| self.cx().root(p.variable))
        {
            written.push(root);
        }
        if view.row.flow == Flow::FunctionCall {
            for name in ["%arg", "%retval"] {
                written.extend(VariableId::of_predefined(name).and_then(|v| self.cx().root(v)).map(|(r, _)| r));
            }
        }
        is_indirect
    }
}
