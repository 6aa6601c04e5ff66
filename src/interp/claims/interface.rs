//! Arguments and results of functions.

use crate::interp::claims::facts::FactKind;
use crate::interp::claims::{Claims, Returned};
use crate::interp::domain::condition::Condition;
use crate::program::footprint::Footprint;
use crate::program::{InstructionIndex, Operand, VariableId, View};
use crate::spec::OperandName;
use crate::spec::instruction::{Execution, Flow, OperandSlot};
use std::ops::Range;

impl<'p> Claims<'_, 'p> {
    /// A function that returns has set all of its result.
    pub(in crate::interp) fn check_result(&mut self, view: &View<'p>) {
        let Some(n) = self.reader.cx().attribute("RetValSize").filter(|n| *n > 0) else { return };
        let Some(retval) = VariableId::of_predefined("%retval") else { return };
        let Some((root, _)) = self.reader.cx().root(retval) else { return };
        let Some(unset) = self.unset_registers(root, n.min(64)) else { return };
        // Parts of a result are often left out on purpose, but not parts of a variable that has been written.
        let whole = unset.iter().all(|u| *u == Some(false)).then_some((0, false));
        let grf = self.reader.cx().grf_bytes;
        let byte_of = |i: usize| i as u32 * grf;
        let possible = || unset.iter().position(|u| *u == Some(true)).map(|i| (byte_of(i), true));
        let begun = || {
            let is_begun = |i: &usize| unset[*i] == Some(false) && self.is_begun(root, *i, &unset);
            (0..unset.len()).find(is_begun).map(|i| (byte_of(i), false))
        };
        if let Some((byte, is_possible)) = whole.or_else(possible).or_else(begun) {
            self.report_at(view.index, FactKind::MissingResult { byte, is_possible });
        }
    }

    /// Notes the numbers that a function gives back, if it is executed for its caller.
    pub(in crate::interp) fn note_returned(&mut self) {
        if self.record.call_depth == 0 {
            return;
        }
        let n_registers = self.reader.cx().attribute("RetValSize").unwrap_or(0);
        let numbers = self.reader.numbers_in("%retval", n_registers);
        let reached = self.reader.state().reached;
        let signals = self.reader.known_signals(reached).filter(|_| self.record.knows_signals);
        let Some(before) = &mut self.record.returned else {
            self.record.returned = Some(Returned { numbers, signals });
            return;
        };
        before.numbers.retain(|number| numbers.contains(number));
        let are_same = before.signals.as_ref().zip(signals.as_ref()).is_some_and(|(a, b)| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a.barrier, a.is_open) == (b.barrier, b.is_open))
        });
        if !are_same {
            before.signals = None;
        }
    }

    /// Reports accesses to `%arg` and `%retval` beyond what a function declares, of whatever kind the operand is.
    pub(in crate::interp) fn watch_interface(&mut self, view: &View<'p>) {
        for (place, operand, slot) in view.numbered_operands() {
            if let Operand::LscAddress { index } = *operand {
                let Some(address) = self.reader.cx().program.lsc_addresses.get(index as usize) else { continue };
                for value in self.reader.cx().program.lsc_values(address) {
                    if let Some((root, bytes)) = self.reader.lsc_value_bytes(view, address, value) {
                        self.check_interface(view, place, root, bytes);
                    }
                }
            } else if let Some((root, bytes)) = self.accessed_bytes(view, operand, slot) {
                self.check_interface(view, place, root, bytes);
            }
        }
    }

    /// The variable of an operand and the bytes that it takes for certain; nothing if it names none.
    pub(in crate::interp) fn accessed_bytes(
        &self,
        view: &View,
        operand: &Operand,
        slot: &OperandSlot,
    ) -> Option<(usize, Range<i64>)> {
        if let Operand::General { .. } = operand {
            let (at, _) = self.reader.direct_location(operand)?;
            let end = at.start + i64::from(at.region.last_element(view.n_lanes()) + 1) * i64::from(at.bytes);
            return Some((at.root, at.start..end));
        }
        let (root, start) = match *operand {
            // The data of LSC messages; elsewhere a bare name is no access.
            Operand::Variable { variable } => {
                self.reader.lsc_address(view)?;
                self.reader.cx().root(variable)?
            }
            _ => self.reader.raw_location(operand).map(|at| (at.root, at.start))?,
        };
        let bytes = match *operand {
            Operand::LscData { shape, .. } => {
                let shape = self.reader.cx().program.lsc_shapes.get(shape as usize);
                shape.and_then(|s| self.reader.lsc_data_bytes(s, view.n_lanes())).map(i64::from)
            }
            Operand::WithLength { length, .. } => Some(i64::from(length)),
            _ => {
                let type_bytes =
                    operand.variable().map_or(1, |v| self.reader.cx().program.variables[v].element_bytes());
                let formula = slot.bytes_tolerated.or(slot.bytes);
                formula.and_then(|f| view.evaluate(f, self.reader.cx().grf_bytes, type_bytes)).or_else(|| {
                    // The second source of an atomic operation: an element for each lane.
                    let (_, shape) = self.reader.lsc_shape(view)?;
                    Some(i64::from(shape.size.register_bytes) * i64::from(view.n_lanes()))
                })
            }
        };
        let bytes = bytes.or_else(|| self.parameter_bytes(view, operand, slot));
        // A message that takes registers takes the first byte, however many they are.
        Some((root, start..start + bytes.unwrap_or(1)))
    }

    /// Bytes of a parameter of a sampler message or a channel of a render target, of which each lane gives one element.
    fn parameter_bytes(&self, view: &View, operand: &Operand, slot: &OperandSlot) -> Option<i64> {
        let is_lane_by_lane = slot.variadic && matches!(view.row.execution, Execution::MaskAndSize);
        let element = operand.variable().map(|v| self.reader.cx().program.variables[v].element_bytes())?;
        is_lane_by_lane.then(|| i64::from(view.n_lanes()) * i64::from(element.min(4)))
    }

    pub(in crate::interp) fn check_interface(&mut self, view: &View, place: usize, root: usize, bytes: Range<i64>) {
        let variable = self.reader.cx().variable_of(root);
        let Some(predefined) = variable.predefined() else { return };
        let role = view.slot_of(place).role;
        // What a function hands over to others, and gets back from them, does not count among its own.
        let attribute = match predefined.name {
            "%arg" if role.reads() => "ArgSize",
            "%retval" if role.writes() => "RetValSize",
            _ => return,
        };
        let Some(size) = self.reader.cx().attribute(attribute) else { return };
        let size = size.saturating_mul(self.reader.cx().grf_bytes);
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
        let Some((root, _)) = VariableId::of_predefined("%arg").and_then(|v| self.reader.cx().root(v)) else { return };
        let grf = self.reader.cx().grf_bytes;
        let Some(unset) = self.unset_registers(root, n_arguments.min(64)) else { return };
        let mut missing = (0..).zip(&unset).filter_map(|(i, unset)| Some((i * grf, (*unset)?)));
        let first = missing.find(|(byte, _)| !self.is_named_above(view, root, *byte..byte + grf));
        if let Some((byte, is_possible)) = first {
            self.report_at(view.index, FactKind::MissingArgument { byte, is_possible });
        }
    }

    /// Whether an instruction since the begin of the block or the last call writes some of a variable, whatever its lanes:
    /// a register that only lanes of a thread hold which is not full stays as it was.
    fn is_named_above(&self, view: &View<'p>, root: usize, bytes: Range<u32>) -> bool {
        let cx = self.reader.cx();
        let wanted = i64::from(bytes.start)..i64::from(bytes.end);
        let block = &cx.flow.blocks[cx.flow.block_of(view.index)];
        let above = (block.start..view.index.0).rev().map(|index| &cx.program.instructions[InstructionIndex(index)]);
        let mut rows = above.map_while(|i| cx.program.row(i).filter(|row| row.flow == Flow::Next).map(|row| (i, row)));
        rows.any(|(instruction, row)| {
            let Some(to) = cx.program.operands_of(instruction).first() else { return false };
            let n_lanes = u32::from(instruction.exec_size);
            row.operands.first().is_some_and(|slot| slot.role.writes())
                && Footprint::new(cx.program, to, n_lanes, cx.grf_bytes).is_some_and(|to| {
                    let written = to.root_bytes();
                    cx.root(to.root).is_some_and(|(own, _)| own == root)
                        && written.start < wanted.end
                        && wanted.start < written.end
                })
        })
    }

    /// Of each of the first `n` registers of a variable, whether nothing has been written of it, and if so whether that is
    /// the case on one of the paths only. Padding within a register is never written.
    fn unset_registers(&mut self, variable: usize, n: u32) -> Option<Vec<Option<bool>>> {
        let grf = self.reader.cx().grf_bytes;
        self.reader.content(variable, 0, 4);
        let mut unset = Vec::with_capacity(n as usize);
        for first in (0..n * grf).step_by(grf as usize) {
            let (held, domain) = self.reader.existing_with_values(variable)?;
            let mut written = Condition::FALSE;
            for byte in (first..first + grf).step_by(4) {
                let presence = held.presence(domain, byte, 4)?;
                if presence.partly != written {
                    written = domain.or(written, presence.partly);
                }
            }
            let reached = self.reader.state().reached;
            let is_unset = self.reader.domain.given(written, reached).is_false();
            let is_left =
                is_unset || self.reader.may_lack(reached, written) || self.leaves_lane(variable, first..first + grf);
            unset.push(is_left.then_some(!is_unset));
        }
        Some(unset)
    }

    /// Whether some lane leaves its part of a register unwritten where others write theirs, and all of them are here.
    fn leaves_lane(&mut self, variable: usize, bytes: Range<u32>) -> bool {
        let reached = self.reader.state().reached;
        if self.reader.cx().launch.skips_paths || self.reader.state().flow.active.as_same().is_none() {
            return false;
        }
        let Some(held) = self.reader.existing(variable) else { return false };
        let mut open: Vec<Condition> = held.gaps(bytes.start, bytes.end).map(|(defined, _)| defined).collect();
        open.dedup();
        open.into_iter().any(|written| !written.is_false() && self.reader.may_lack(reached, written))
    }

    /// Whether a variable of the object that has a part in a register has another part in one that has been written.
    fn is_begun(&self, root: usize, register: usize, unset: &[Option<bool>]) -> bool {
        let grf = i64::from(self.reader.cx().grf_bytes);
        (self.reader.cx().object.variables.start..self.reader.cx().object.variables.end).map(VariableId).any(
            |variable| {
                let Some((_, start)) = self.reader.cx().root(variable).filter(|(own, _)| *own == root) else {
                    return false;
                };
                let end =
                    start + i64::from(self.reader.cx().program.variable_bytes(variable, self.reader.cx().grf_bytes));
                let holds = |i: usize| start < (i as i64 + 1) * grf && end > i as i64 * grf;
                holds(register) && (0..unset.len()).any(|i| unset[i].is_none() && holds(i))
            },
        )
    }
}
