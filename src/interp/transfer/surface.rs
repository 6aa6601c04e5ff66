//! Which memory a message is about.

use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Reader, Surface};
use crate::interp::transfer::message::Space;
use crate::program::lsc::LscValue;
use crate::program::{Operand, VariableId, View};
use crate::spec::instruction;

impl<'p> Reader<'p> {
    /// What the address is in; nothing if that is not known.
    pub(in crate::interp) fn surface_of(&mut self, view: &View<'p>, space: Space) -> Option<Surface> {
        let is_typed = match space {
            Space::Slm => return Some(Surface::Slm),
            Space::Flat => return Some(Surface::Flat),
            Space::Urb => return None,
            Space::Surface => false,
            Space::Typed => true,
        };
        if let Some((_, address)) = self.lsc_address(view) {
            let value = match address.surface? {
                LscValue::Immediate(number) => Value::known(number as u64, 4),
                value @ (LscValue::Register { .. } | LscValue::Element { .. }) => {
                    let at = self.lsc_value_location(value, 4)?;
                    self.read_at(at, &Lanes::run(Condition::TRUE, 1)).0.at(0)
                }
                LscValue::Null | LscValue::Broken => return None,
            };
            return Some(Surface::Bound { value, index: address.surface_index, is_typed });
        }
        let variable = view.operands.iter().find_map(|o| match o {
            Operand::Handle { variable, .. } => Some(*variable),
            _ => None,
        })?;
        let (root, _) = self.cx().root(variable)?;
        let value = self.element(root, 0, 4)?.value;
        Some(Surface::Bound { value, index: None, is_typed })
    }

    /// Whether threads have what a message accesses for themselves.
    pub(in crate::interp) fn has_its_own(&self, view: &View<'p>, space: Space) -> bool {
        let is_scratch = |o: &Operand| match o {
            Operand::Handle { variable, .. } => {
                let root = self.cx().root(*variable).map(|(register, _)| self.cx().variable_of(register));
                root.is_some_and(|v| Some(v) == VariableId::of_predefined("%scratch"))
            }
            _ => false,
        };
        let is_flat = space == Space::Flat;
        is_flat && view.row.accesses.iter().any(|a| a.memory == instruction::Memory::Scratch)
            || !is_flat
                && space != Space::Slm
                && self.lsc_address(view).is_none()
                && view.operands.iter().find(|o| matches!(o, Operand::Handle { .. })).is_some_and(is_scratch)
    }
}
