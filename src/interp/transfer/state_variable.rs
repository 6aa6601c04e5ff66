//! `movs`: surfaces and samplers.

use crate::interp::state::{Location, Reader};
use crate::interp::transfer::effects::Effects;
use crate::program::{Operand, Region, RegionForm, VariableId, View};
use crate::spec::predefined::VariableKind;

impl Reader<'_> {
    /// The elements of a surface or sampler variable.
    #[must_use]
    pub fn state_location(&self, variable: VariableId, index: i32) -> Option<Location> {
        let kind = self.cx().program.variables.get(variable)?.kind;
        if !matches!(kind, VariableKind::Surface | VariableKind::Sampler) {
            return None;
        }
        let (root, _) = self.cx().root(variable)?;
        let form = RegionForm::Stride;
        let region = Region { vertical_stride: 0, width: 1, horizontal_stride: 1, form };
        Some(Location { root, start: 4 * i64::from(index), bytes: 4, region })
    }
}

impl Reader<'_> {
    /// `movs`: surfaces and samplers to and from registers, dword by dword.
    pub(super) fn move_state(&mut self, view: &View, effects: &mut Effects) {
        let exec_mask = self.mask(view);
        let Some([to, from]) = view.operands.get(..2) else { return };
        let lanes = if let Operand::State { variable, index } = *from {
            let at = self.state_location(variable, index);
            let Some(at) = at else { return };
            let (lanes, writer, _) = self.read_at(at, &exec_mask);
            effects.note_writer(0, writer);
            lanes
        } else {
            let source = self.observed_source(view, 1, &exec_mask, effects);
            effects.note_writer(0, source.writer);
            self.note_undefined(view, 1, source.undefined, effects);
            source.lanes.map(|v| self.domain.resize(v, 4))
        };
        match *to {
            Operand::State { variable, index } => {
                if let Some(at) = self.state_location(variable, index) {
                    effects.write(at, lanes, exec_mask);
                }
            }
            ref operand => {
                let Some(to) = self.destination_type(operand) else { return };
                let lanes = lanes.map(|v| self.domain.resize(v, to.bytes() as u8));
                self.write(view, 0, lanes, exec_mask, effects);
            }
        }
    }
}
