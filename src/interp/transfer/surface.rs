//! Which memory a message is about.

use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Context, Reader, Surface};
use crate::interp::transfer::message::Space;
use crate::program::lsc::LscValue;
use crate::program::{Operand, VariableId, View};
use crate::spec::ModifierName;
use std::sync::LazyLock;

/// The predefined surface of shared local memory.
static SLM: LazyLock<Option<VariableId>> = LazyLock::new(|| VariableId::of_predefined("%slm"));

/// The surface variable and the element of it that a message names.
fn handle(view: &View) -> Option<(VariableId, i32)> {
    view.operands.iter().find_map(|operand| match operand {
        Operand::Handle { variable, index } => Some((*variable, *index)),
        _ => None,
    })
}

impl Context<'_> {
    /// Whether the surface that a message names is that of shared local memory.
    pub(super) fn names_slm(&self, view: &View) -> bool {
        handle(view).is_some_and(|(variable, _)| Some(self.program.variables[variable].root) == *SLM)
    }

    /// Whether a message goes to shared local memory.
    pub(super) fn is_slm(&self, view: &View) -> bool {
        view.modifier_word(ModifierName::UNIT) == Some("slm") || self.names_slm(view)
    }
}

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
        let (variable, index) = handle(view)?;
        let at = self.state_location(variable, index)?;
        let value = self.read_at(at, &Lanes::run(Condition::TRUE, 1)).0.at(0);
        Some(Surface::Bound { value, index: None, is_typed })
    }

    /// Whether threads have what a message accesses for themselves.
    pub(in crate::interp) fn has_its_own(&self, view: &View<'p>) -> bool {
        let is_scratch = |variable: VariableId| {
            let root = self.cx().root(variable).map(|(register, _)| self.cx().variable_of(register));
            root.is_some_and(|v| Some(v) == VariableId::of_predefined("%scratch"))
        };
        handle(view).is_some_and(|(variable, _)| is_scratch(variable))
    }
}
