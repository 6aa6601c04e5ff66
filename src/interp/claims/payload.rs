//! Data that messages, and other instructions without an operation, read where nothing has written them: exactly the bytes
//! that are read, for the lanes that read them.

use crate::interp::claims::Claims;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::Undefined;
use crate::interp::state::content::NO_WRITER;
use crate::interp::transfer::message::{Data, Message};
use crate::program::lsc::LscShapeKind;
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::OperandName;
use crate::spec::expression::Expression;
use crate::spec::family::Check;
use crate::spec::instruction::{AccessKind, Custom, Execution, OperandSlot};
use std::ops::Range;

/// The least bytes that a row of a block takes in registers, if its pitch is that of a media block.
const MIN_ROW_BYTES: i64 = 4;

impl<'p> Claims<'_, 'p> {
    /// Reports operands of which an instruction reads bytes that nothing has written.
    pub(in crate::interp) fn check_payloads(
        &mut self,
        view: &View<'p>,
        messages: &[Message],
        exec_mask: &Lanes<Condition>,
    ) {
        if exec_mask.all_false() {
            return;
        }
        for (place, operand, slot) in view.numbered_operands() {
            if !slot.role.reads() || operand.is_null() {
                continue;
            }
            if let Some(undefined) = self.undefined_operand(view, (place, operand, slot), messages, exec_mask) {
                self.record.report_undefined(view.index, place, undefined);
            }
        }
    }

    fn undefined_operand(
        &mut self,
        view: &View<'p>,
        (place, operand, slot): (usize, &Operand, &'static OperandSlot),
        messages: &[Message],
        exec_mask: &Lanes<Condition>,
    ) -> Option<(Undefined, Option<u32>)> {
        match *operand {
            // Of a result in even elements the others mean nothing.
            Operand::General { .. } if view.row.has(Check::EvenElements) => None,
            Operand::General { region, .. } => {
                let one = Lanes::run(self.reader.state().reached, 1);
                let exec_mask = if region.is_scalar() { &one } else { exec_mask };
                let undefined = self.reader.presence(view, place, exec_mask).1?;
                // An index of a shuffle is the lowest bits of its element, of which compilers write no more.
                let is_index = view.row.has(Check::Shuffle) && slot.name == OperandName::SRC1 && undefined.is_partial;
                (!is_index).then_some((undefined, None))
            }
            Operand::LscAddress { index } => {
                let address = *self.reader.cx().program.lsc_addresses.get(index as usize)?;
                self.reader.cx().program.lsc_values(&address).find_map(|value| {
                    let (root, bytes) = self.reader.lsc_value_bytes(view, &address, value)?;
                    let (undefined, byte) = self.undefined_lanes(view, root, bytes, exec_mask)?;
                    Some((Undefined { pointed: value.variable(), ..undefined }, byte))
                })
            }
            Operand::Handle { variable, index } => {
                let (root, _) = self.reader.cx().root(variable)?;
                let first = 4 * i64::from(index);
                let reached = self.reader.state().reached;
                self.undefined_bytes(root, first..first + 4, reached, Some(0))
            }
            Operand::Element { .. }
            | Operand::Raw { .. }
            | Operand::LscData { .. }
            | Operand::WithLength { .. }
            | Operand::Variable { .. } => {
                let (root, bytes) = self.accessed_bytes(view, operand, slot)?;
                let rows = self.block_rows(view, operand, slot, &bytes);
                if rows.is_empty() && self.is_written(root, &bytes) {
                    return None;
                }
                let reached = self.reader.state().reached;
                if !rows.is_empty() {
                    return rows.into_iter().find_map(|row| self.undefined_bytes(root, row, reached, None));
                }
                match messages.iter().find(|m| self.takes_data_from(view, m, place)) {
                    Some(message) => self.undefined_data(view, message),
                    None => self.undefined_lanes(view, root, bytes, exec_mask),
                }
            }
            _ => None,
        }
    }

    /// The bytes of each row of a block that is stored; nothing for other data. Rows are padded to a power of two elements.
    fn block_rows(&self, view: &View, operand: &Operand, slot: &OperandSlot, bytes: &Range<i64>) -> Vec<Range<i64>> {
        let Some((row, least, height)) = self.block_shape(view, operand, slot) else { return Vec::new() };
        let pitch =
            row.max(least).unsigned_abs().checked_next_power_of_two().and_then(|pitch| i64::try_from(pitch).ok());
        let Some(pitch) = pitch.filter(|_| row > 0 && height.is_none_or(|height| height <= 64)) else {
            return Vec::new();
        };
        let height = height.unwrap_or((bytes.end - bytes.start + pitch - 1) / pitch);
        (0..height).map(|i| bytes.start + i * pitch..bytes.start + i * pitch + row).collect()
    }

    /// Bytes of a row of a block that is stored, the least bytes from row to row, and rows, where these do not follow from
    /// the bytes of all.
    fn block_shape(&self, view: &View, operand: &Operand, slot: &OperandSlot) -> Option<(i64, i64, Option<i64>)> {
        if let Some(formula) = slot.row_bytes {
            return view.evaluate(formula, self.reader.cx().grf_bytes, 1).map(|row| (row, MIN_ROW_BYTES, None));
        }
        let Operand::LscData { shape, .. } = *operand else { return None };
        let shape = self.reader.cx().program.lsc_shapes.get(shape as usize)?;
        match shape.kind {
            LscShapeKind::Block2d { n_blocks: 1, width, height, is_transposed: false, is_vnni: false } => {
                Some((i64::from(width) * i64::from(shape.size.memory_bytes), 1, Some(height.into())))
            }
            LscShapeKind::TypedBlock2d { width, height } => Some((width.into(), MIN_ROW_BYTES, Some(height.into()))),
            _ => None,
        }
    }

    /// Whether a message takes the data that it stores from an operand.
    fn takes_data_from(&self, view: &View<'p>, message: &Message, place: usize) -> bool {
        if message.kind == AccessKind::Read {
            return false;
        }
        match message.data {
            Data::None => false,
            Data::Table(access) => match access.value {
                Some(Expression::Element(slot, _)) => view.operand_in(usize::from(*slot)) == Some(place),
                _ => false,
            },
            Data::Grouped { start, .. } => self
                .accessed_bytes(view, &view.operands[place], view.slot_of(place))
                .is_some_and(|(root, bytes)| root == start.root && bytes.start == start.start),
        }
    }

    /// What is undefined of the data that the lanes of a message store.
    fn undefined_data(&mut self, view: &View<'p>, message: &Message) -> Option<(Undefined, Option<u32>)> {
        for lane in 0..message.exec_mask.len() {
            let active = message.exec_mask.at(lane);
            if active.is_false() {
                continue;
            }
            for piece in 0..message.pieces.len() {
                if message.pieces[piece].possible >> lane & 1 == 0 {
                    continue;
                }
                let Some(at) = self.reader.data_location(view, message, lane, piece) else { continue };
                let bytes = at.start..at.start + i64::from(at.bytes);
                if let Some(undefined) = self.undefined_bytes(at.root, bytes, active, Some(lane)) {
                    return Some(undefined);
                }
            }
        }
        None
    }

    /// What is undefined of bytes of which each lane reads its part, or the instruction all.
    fn undefined_lanes(
        &mut self,
        view: &View<'p>,
        root: usize,
        bytes: Range<i64>,
        exec_mask: &Lanes<Condition>,
    ) -> Option<(Undefined, Option<u32>)> {
        let n = i64::from(exec_mask.len());
        let n_bytes = bytes.end - bytes.start;
        let is_per_lane = view.row.execution == Execution::MaskAndSize
            && view.row.custom != Some(Custom::RawSend)
            && n > 1
            && n_bytes % n == 0
            && matches!(n_bytes / n, 1 | 2 | 4 | 8);
        if !is_per_lane {
            let reached = self.reader.state().reached;
            return self.undefined_bytes(root, bytes, reached, None);
        }
        let own = n_bytes / n;
        (0..exec_mask.len()).find_map(|lane| {
            let start = bytes.start + i64::from(lane) * own;
            self.undefined_bytes(root, start..start + own, exec_mask.at(lane), Some(lane))
        })
    }

    /// Whether all bytes are known to have been written.
    fn is_written(&mut self, root: usize, bytes: &Range<i64>) -> bool {
        let (Ok(first), Ok(end)) = (u32::try_from(bytes.start), u32::try_from(bytes.end)) else { return true };
        self.reader.content(root, first, 4).gaps(first, end).next().is_none()
    }

    /// What is undefined of some bytes that are read where `active` holds: by a lane, or all at once; then with the first
    /// byte.
    fn undefined_bytes(
        &mut self,
        root: usize,
        bytes: Range<i64>,
        active: Condition,
        reader: Option<u32>,
    ) -> Option<(Undefined, Option<u32>)> {
        let lane = reader.unwrap_or(0);
        if active.is_false() {
            return None;
        }
        let (first, end) = (u32::try_from(bytes.start).ok()?, u32::try_from(bytes.end).ok()?);
        let held = self.reader.content(root, first, 4);
        let gaps: Vec<(Condition, u32)> = held.gaps(first, end).collect();
        let n_slots = (end - first).div_ceil(u32::from(held.unit())) as usize;
        let is_partial = gaps.len() < n_slots || gaps.iter().any(|(defined, _)| !defined.is_false());
        let writer_of = |writer: u32| (writer != NO_WRITER).then_some(InstructionIndex(writer));
        if let Some((_, writer)) = gaps.iter().find(|(defined, _)| defined.is_false()) {
            let left_by = writer_of(*writer);
            let undefined = Undefined { lane, is_partial, is_possible: false, left_by, pointed: None };
            return Some((undefined, self.first_gap(root, first..end, Condition::FALSE).filter(|_| reader.is_none())));
        }
        if self.reader.cx().launch.skips_paths {
            return None;
        }
        let mut last = None;
        gaps.into_iter().find_map(|(defined, _)| {
            if last.replace(defined) == Some(defined) {
                return None;
            }
            if !self.reader.may_lack(active, defined) {
                return None;
            }
            let undefined = Undefined { lane, is_partial: false, is_possible: true, left_by: None, pointed: None };
            Some((undefined, self.first_gap(root, first..end, defined).filter(|_| reader.is_none())))
        })
    }

    /// The first of some bytes that has been written where `defined` holds, and nowhere else.
    fn first_gap(&mut self, root: usize, bytes: Range<u32>, defined: Condition) -> Option<u32> {
        let held = self.reader.content(root, bytes.start, 4);
        let unit = u32::from(held.unit()).max(1);
        let mut slots = (bytes.start / unit * unit..bytes.end).step_by(unit as usize);
        let at = slots.find(|at| held.gaps(*at, at + unit).any(|(own, _)| own == defined))?;
        Some(at.max(bytes.start))
    }
}
