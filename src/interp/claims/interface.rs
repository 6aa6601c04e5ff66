//! Arguments and results of functions.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Fact, FactKind};
use crate::program::{Operand, VariableId, View};
use crate::spec::OperandName;
use crate::spec::instruction::OperandSlot;
use std::ops::Range;

impl<'p> Claims<'_, 'p> {
    /// A function that returns has set all of its result.
    pub(in crate::interp) fn check_result(&mut self, view: &View<'p>) {
        let Some(n) = self.attribute("RetValSize").filter(|n| *n > 0) else { return };
        let Some(retval) = VariableId::of_predefined("%retval") else { return };
        let missing = match self.root(retval).and_then(|(r, _)| self.existing(r)) {
            None => Some(0),
            // Parts of a result are often left out on purpose.
            Some(register) => register.is_unwritten(0, n * self.cx.grf_bytes).then_some(0),
        };
        if let Some(byte) = missing {
            let kind = FactKind::MissingResult { byte };
            self.record.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    /// Reports accesses to `%arg` and `%retval` beyond what a function declares, of whatever kind the operand is.
    pub(in crate::interp) fn watch_interface(&mut self, view: &View<'p>) {
        for (place, operand, slot) in view.numbered_operands() {
            if let Operand::LscAddress { index } = *operand {
                let Some(address) = self.cx.program.lsc_addresses.get(index as usize) else { continue };
                for value in self.cx.program.lsc_values(address) {
                    if let Some((register, bytes)) = self.lsc_value_bytes(view, address, value) {
                        self.check_interface(view, place, register, bytes);
                    }
                }
            } else if let Some((register, bytes)) = self.accessed_bytes(view, operand, slot) {
                self.check_interface(view, place, register, bytes);
            }
        }
    }

    /// The register of an operand and the bytes that it takes for certain; nothing if it names none.
    pub(in crate::interp) fn accessed_bytes(
        &self,
        view: &View,
        operand: &Operand,
        slot: &OperandSlot,
    ) -> Option<(usize, Range<i64>)> {
        if let Operand::General { .. } = operand {
            let (at, _) = self.direct_place(operand)?;
            let end = at.start + i64::from(at.region.last_element(view.n_lanes()) + 1) * i64::from(at.bytes);
            return Some((at.register, at.start..end));
        }
        let (register, start) = match *operand {
            // The data of LSC messages; elsewhere a bare name is no access.
            Operand::Variable { variable } => {
                self.lsc_address(view)?;
                self.root(variable)?
            }
            _ => self.raw_place(operand).map(|at| (at.register, at.start))?,
        };
        let bytes = match *operand {
            Operand::LscData { shape, .. } => {
                let shape = self.cx.program.lsc_shapes.get(shape as usize);
                shape.and_then(|s| self.lsc_data_bytes(s, view.n_lanes())).map(i64::from)
            }
            Operand::WithLength { length, .. } => Some(i64::from(length)),
            _ => {
                let type_bytes = operand.variable().map_or(1, |v| self.cx.program.variables[v].element_bytes());
                let formula = slot.bytes_tolerated.or(slot.bytes);
                formula.and_then(|f| view.evaluate(f, self.cx.grf_bytes, type_bytes)).or_else(|| {
                    let (_, shape) = self.lsc_shape(view)?;
                    self.lsc_data_bytes(&shape, view.n_lanes()).map(i64::from)
                })
            }
        };
        // A message that takes registers takes the first byte, however many they are.
        Some((register, start..start + bytes.unwrap_or(1)))
    }

    pub(in crate::interp) fn check_interface(&mut self, view: &View, place: usize, register: usize, bytes: Range<i64>) {
        let variable = self.variable_of(register);
        let Some(predefined) = variable.predefined() else { return };
        let role = view.row.operands[usize::from(view.slots[place])].role;
        // What a function hands over to others, and gets back from them, does not count among its own.
        let attribute = match predefined.name {
            "%arg" if role.reads() => "ArgSize",
            "%retval" if role.writes() => "RetValSize",
            _ => return,
        };
        let Some(size) = self.attribute(attribute) else { return };
        let size = size.saturating_mul(self.cx.grf_bytes);
        if !bytes.is_empty() && bytes.end > i64::from(size) {
            let byte = u32::try_from(bytes.start.max(i64::from(size))).unwrap_or(size);
            self.report(view, place, FactKind::BeyondInterface { variable, byte, size });
        }
    }
}

impl<'p> Claims<'_, 'p> {
    /// Reports arguments of a function call that are not set.
    pub(in crate::interp) fn check_arguments(&mut self, view: &View<'p>) {
        let Some((_, Operand::Number { value })) = view.numbered_operand(OperandName::ARG_SIZE) else { return };
        let Ok(n_arguments) = u32::try_from(*value) else { return };
        let Some((register, _)) = VariableId::of_predefined("%arg").and_then(|v| self.root(v)) else { return };
        let grf = self.cx.grf_bytes;
        let n_bytes = n_arguments.min(64) * grf;
        self.register(register, 0, 4);
        let Some((held, domain)) = self.existing_mut(register) else { return };
        // Padding between arguments is never set; a whole register that is not, is.
        let mut is_unset = |first: u32| {
            (first..first + grf).step_by(4).all(|b| held.presence(domain, b, 4).is_some_and(|p| p.partly.is_false()))
        };
        if let Some(byte) = (0..n_bytes).step_by(grf as usize).find(|first| is_unset(*first)) {
            let kind = FactKind::MissingArgument { byte };
            self.record.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }
}
