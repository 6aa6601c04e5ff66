//! The number of dimensions of a launch, told by what a kernel asks of an input.

use super::layout::Layout;
use crate::interp::domain::{fold, mask, sign_extended};
use crate::program::operand::SourceModifier;
use crate::program::variable::VariableId;
use crate::program::{Operand, View};
use crate::spec::operation::Operation;
use crate::spec::{ModifierName, Type};
use rustc_hash::FxHashMap;

/// A variable that holds what was made of an input.
#[derive(Clone, Copy)]
struct Copied {
    /// The input.
    of: VariableId,
    /// What the variable holds if the input is 1, 2 or 3.
    numbers: [u64; 3],
    bytes: u8,
}

/// What an instruction does with a copy of an input.
enum Use {
    /// It tells some of 1, 2 and 3 from others: a bit for each two of them.
    Comparison(u8),
    /// It makes another copy.
    Copy(Copied),
}

/// Each of 1, 2 and 3 is told from the others.
const ALL_APART: u8 = 0b111;

impl Layout<'_> {
    /// The input that looks like the number of dimensions of the launch: a dword that is only asked whether it is 2 and
    /// whether it is 3, as linear ids do. Compilers ask a copy of it, cut to a byte or to two bits.
    pub(super) fn dimensions_by_use(&self) -> Option<VariableId> {
        let shared_from = self.shared_from()?;
        let is_dword =
            |i: VariableId| matches!(self.program.variables.get(i)?.element_type, Type::D | Type::UD).then_some(i);
        let inputs = self.inputs().iter().filter(|i| i.offset >= shared_from && i.size == 4);
        let inputs: Vec<VariableId> = inputs.filter_map(|i| is_dword(i.variable)).collect();
        let copied = |of: VariableId| (of, Copied { of, numbers: [1, 2, 3], bytes: 4 });
        let mut copies: FxHashMap<VariableId, Copied> = inputs.iter().map(|of| copied(*of)).collect();
        // Which numbers are told apart; nothing if something else is done with the input.
        let mut told: FxHashMap<VariableId, Option<u8>> = inputs.iter().map(|of| (*of, Some(0))).collect();
        for (index, _) in self.program.instructions_in(self.object) {
            if let Some(view) = View::new(self.program, index) {
                self.follow(&view, &mut copies, &mut told);
            }
        }
        inputs.into_iter().find(|v| told.get(v) == Some(&Some(ALL_APART)))
    }

    /// Takes what an instruction does with the inputs.
    fn follow(
        &self,
        view: &View,
        copies: &mut FxHashMap<VariableId, Copied>,
        told: &mut FxHashMap<VariableId, Option<u8>>,
    ) {
        let root_of = |operand: &Operand| Some(self.program.variables.get(operand.variable()?)?.root);
        let mut made = None;
        for (_, operand, slot) in view.numbered_operands() {
            let Some(copy) = root_of(operand).filter(|_| slot.role.reads()).and_then(|root| copies.get(&root)) else {
                continue;
            };
            let numbers = told.entry(copy.of).or_default();
            match self.use_of(view, copy, operand) {
                Some(Use::Comparison(apart)) => *numbers = numbers.map(|all| all | apart),
                Some(Use::Copy(copy)) => made = Some(copy),
                None => *numbers = None,
            }
        }
        for (_, operand, slot) in view.numbered_operands() {
            let Some(root) = root_of(operand).filter(|_| slot.role.writes()) else { continue };
            // An input that is written is none of these.
            if told.contains_key(&root) {
                told.insert(root, None);
            }
            match made {
                Some(copy) => copies.insert(root, copy),
                None => copies.remove(&root),
            };
        }
    }

    fn use_of(&self, view: &View, copy: &Copied, operand: &Operand) -> Option<Use> {
        let Operand::General { variable, row: 0, column: 0, modifier: SourceModifier::None, .. } = *operand else {
            return None;
        };
        let read = self.program.variables.get(variable)?;
        let kind = read.element_type;
        if read.root_offset != 0 || !kind.is_integer() || kind.bytes() > u32::from(copy.bytes) {
            return None;
        }
        let numbers = copy.numbers.map(|number| as_number(number, kind));
        let beside = match *view.operands.last()? {
            Operand::Immediate { bits, element_type } if element_type.is_integer() && !element_type.is_packed() => {
                Some(as_number(bits, element_type))
            }
            _ => None,
        };
        match (view.row.operation?, beside) {
            (Operation::Cmp, Some(with)) if numbers[1..].contains(&with) => {
                let relation = view.modifier_word(ModifierName::RELATION)?;
                let [one, two, three] = numbers.map(|number| compare(relation, number, with));
                let apart = [one? != two?, one? != three?, two? != three?];
                Some(Use::Comparison((0..).zip(apart).map(|(i, is_apart)| u8::from(is_apart) << i).sum()))
            }
            (operation @ Operation::Mov, None)
            | (operation @ (Operation::And | Operation::Shl | Operation::Shr | Operation::Asr), Some(_)) => {
                let to = view.operands.first()?.variable()?;
                let to = self.program.variables.get(to).filter(|to| to.root_offset == 0)?.element_type;
                if !to.is_integer() {
                    return None;
                }
                let bytes = to.bytes() as u8;
                let beside = beside.unwrap_or(0) as u64;
                let made = numbers.map(|n| fold::integer(operation, to.is_signed(), [n as u64, beside, 0], bytes));
                Some(Use::Copy(Copied { of: copy.of, numbers: [made[0]?, made[1]?, made[2]?], bytes }))
            }
            _ => None,
        }
    }
}

/// The number that bits are in a type of integers.
fn as_number(bits: u64, kind: Type) -> i64 {
    let bytes = kind.bytes() as u8;
    if kind.is_signed() { sign_extended(bits & mask(bytes), bytes) } else { (bits & mask(bytes)) as i64 }
}

/// The result of a comparison of that relation.
fn compare(relation: &str, a: i64, b: i64) -> Option<bool> {
    let order = a.cmp(&b);
    Some(match relation {
        "eq" => order.is_eq(),
        "ne" => order.is_ne(),
        "lt" => order.is_lt(),
        "le" => order.is_le(),
        "gt" => order.is_gt(),
        "ge" => order.is_ge(),
        _ => return None,
    })
}
