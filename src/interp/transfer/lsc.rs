//! LSC messages: the address operand is the formula.

use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Location, Reader, Undefined, lane_after_lane};
use crate::interp::transfer::effects::Effects;
use crate::interp::transfer::message::{Alignment, Data, Message, Part, Piece, Space};
use crate::program::lsc::{AddressSize, LscAddress, LscItem, LscShape, LscShapeKind, LscValue};
use crate::program::{Operand, Region, View};
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::instruction::OperandKind;
use crate::spec::instruction::{Access, AccessKind};
use crate::spec::predefined::VariableKind;
use std::ops::Range;

/// Whether a message of that shape accesses one block for all lanes, and not an address for each.
pub(in crate::interp) const fn is_block(shape: &LscShape) -> bool {
    matches!(
        shape.kind,
        LscShapeKind::Block2d { .. }
            | LscShapeKind::TypedBlock2d { .. }
            | LscShapeKind::Vector { is_transposed: true, .. }
    )
}

impl<'p> Reader<'p> {
    /// What an LSC message does; nothing if its address or shape is not one of those that are understood.
    pub(in crate::interp) fn lsc_message(
        &mut self,
        view: &View<'p>,
        access: &'static Access,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) -> Option<Message> {
        let (address_place, address) = self.lsc_address(view)?;
        let unit = view.modifier_word(ModifierName::UNIT)?;
        let n = exec_mask.len();
        let shape = self.lsc_shape(view);
        let items = &self.cx().program.lsc_items[address.first_item as usize..address.items_end as usize];
        let is_typed = unit == "tgm";
        let is_strided = view.row.takes(OperandKind::LscStridedAddress);
        let is_block = shape.is_some_and(|(_, s)| is_block(&s));
        let width = match address.size {
            Some(AddressSize::A64) => 8,
            _ => 4,
        };
        let bytes = address.size.map_or(4, AddressSize::bytes) as u8;
        let (exec_mask, is_per_lane) =
            if is_block { (Lanes::run(exec_mask.at(0), 1), false) } else { (exec_mask.clone(), true) };
        let coordinates = if is_block && items.len() > 1 {
            return None;
        } else if is_typed {
            let mut all = Vec::with_capacity(items.len());
            for item in items {
                if item.value != LscValue::Null {
                    all.push(self.lsc_item(address_place, item, (4, 4), &exec_mask, effects)?);
                }
            }
            all
        } else if is_strided {
            vec![self.strided((address_place, items), (bytes, width), shape, &exec_mask, effects)?]
        } else {
            vec![self.lsc_item(address_place, items.first()?, (bytes, width), &exec_mask, effects)?]
        };
        let lanes = if n >= 32 { u32::MAX } else { (1 << n) - 1 };
        let (pieces, data) = self.lsc_pieces(view, shape, n, lanes, access.kind)?;
        // Atomics, and vectors in shared local memory, need their natural alignment.
        let natural = shape.map(|(_, s)| u32::from(s.size.memory_bytes));
        let is_vector =
            pieces.len() > 1 && !matches!(shape, Some((_, LscShape { kind: LscShapeKind::Channels(_), .. })));
        let alignment = match natural {
            Some(natural)
                if !is_typed && (access.kind == AccessKind::Atomic || is_vector && unit == "slm" || is_block) =>
            {
                Some(Alignment { bytes: natural, tolerated: 1 })
            }
            _ => None,
        };
        let space = match unit {
            "slm" => Space::Slm,
            "tgm" => Space::Typed,
            _ if address.model.has_surface() => Space::Surface,
            _ => Space::Flat,
        };
        Some(Message {
            kind: access.kind,
            space,
            exec_mask,
            is_per_lane,
            coordinates,
            pieces,
            same_address: access.same_address,
            alignment,
            data,
            address_place,
        })
    }

    /// The address operand of an LSC message.
    #[must_use]
    pub fn lsc_address(&self, view: &View) -> Option<(usize, LscAddress)> {
        view.operands.iter().enumerate().find_map(|(place, operand)| match operand {
            Operand::LscAddress { index } => Some((place, *self.cx().program.lsc_addresses.get(*index as usize)?)),
            _ => None,
        })
    }

    /// The first data operand of an LSC message and its shape.
    #[must_use]
    pub fn lsc_shape(&self, view: &View) -> Option<(usize, LscShape)> {
        view.operands.iter().enumerate().find_map(|(place, operand)| match operand {
            Operand::LscData { shape, .. } => Some((place, *self.cx().program.lsc_shapes.get(*shape as usize)?)),
            _ => None,
        })
    }

    /// `scale * value + displacement` in each lane.
    fn lsc_item(
        &mut self,
        place: usize,
        item: &LscItem,
        (bytes, width): (u8, u8),
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) -> Option<Lanes<Value>> {
        let n = exec_mask.len();
        let lanes = match item.value {
            LscValue::Immediate(number) => Lanes::run(Value::known(number as u64, width), n),
            LscValue::Register { .. } | LscValue::Element { .. } => {
                let at = self.lsc_value_location(item.value, bytes)?;
                let (lanes, writer, undefined) = self.read_at(at, exec_mask);
                effects.note_latest_writer(place, writer);
                let pointed = item.value.variable();
                effects.observe_undefined(place, undefined.map(|undefined| Undefined { pointed, ..undefined }));
                lanes.map(|v| self.domain.resize(v, width))
            }
            LscValue::Broken | LscValue::Null => return None,
        };
        let domain = &mut self.domain;
        Some(lanes.map(|v| domain.scale(v, item.scale as u64).plus(item.displacement as u64)))
    }

    /// The elements that a variable in an address gives to the lanes.
    pub(in crate::interp) fn lsc_value_location(&self, value: LscValue, bytes: u8) -> Option<Location> {
        let variable = value.variable()?;
        let row = self.cx().program.variables.get(variable)?;
        if row.kind != VariableKind::General {
            return None;
        }
        let (root, root_offset) = self.cx().root(variable)?;
        match value {
            LscValue::Register { byte_offset, .. } => {
                Some(Location { root, start: root_offset + i64::from(byte_offset), bytes, region: lane_after_lane() })
            }
            LscValue::Element { row: view, column, .. } => {
                let element = i64::from(row.element_bytes());
                let start = i64::from(view) * i64::from(self.cx().grf_bytes) + i64::from(column) * element;
                Some(Location { root, start: root_offset + start, bytes, region: Region::SCALAR })
            }
            _ => None,
        }
    }

    /// The variable of a value in an address and the bytes that are read of it.
    pub(in crate::interp) fn lsc_value_bytes(
        &self,
        view: &View,
        address: &LscAddress,
        value: LscValue,
    ) -> Option<(usize, Range<i64>)> {
        let is_item = address.surface != Some(value);
        // The first item of a block is the base of its surface, which is a pointer.
        let is_base = view.row.takes(OperandKind::LscBlockAddress)
            && self.cx().program.lsc_items[address.items()].first().is_some_and(|first| first.value == value);
        let bytes = match address.size {
            Some(size) if is_item => size.bytes(),
            _ if is_base => 8,
            _ => 4,
        };
        let at = self.lsc_value_location(value, bytes as u8)?;
        let is_one = !is_item
            || matches!(value, LscValue::Element { .. })
            || view.row.takes(OperandKind::LscStridedAddress)
            || self.lsc_shape(view).is_some_and(|(_, shape)| is_block(&shape));
        let n = if is_one { 1 } else { view.n_lanes() };
        Some((at.root, at.start..at.start + i64::from(n * bytes)))
    }

    /// `base + lane * pitch`
    fn strided(
        &mut self,
        (place, items): (usize, &[LscItem]),
        (bytes, width): (u8, u8),
        shape: Option<(usize, LscShape)>,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) -> Option<Lanes<Value>> {
        // Each is one number for all lanes that are on.
        let one = Lanes::run(self.reach_of(exec_mask), 1);
        let base = self.lsc_item(place, items.first()?, (bytes, width), &one, effects)?.at(0);
        let pitch = if let Some(pitch) = items.get(1) {
            self.lsc_item(place, pitch, (4, width), &one, effects)?.at(0)
        } else {
            let (_, shape) = shape?;
            let LscShapeKind::Vector { n_elements, .. } = shape.kind else { return None };
            Value::known(u64::from(shape.size.memory_bytes) * u64::from(n_elements), width)
        };
        let mut lanes = [base; 32];
        for lane in 1..exec_mask.len() as usize {
            lanes[lane] = self.domain.add(lanes[lane - 1], pitch);
        }
        Some(Lanes::of(exec_mask.len(), |l| lanes[l as usize]))
    }

    /// What each lane accesses, and where its data stand.
    fn lsc_pieces(
        &self,
        view: &View,
        shape: Option<(usize, LscShape)>,
        n: u32,
        lanes: u32,
        kind: AccessKind,
    ) -> Option<(Vec<Piece>, Data)> {
        let (place, shape) = shape?;
        let memory = u32::from(shape.size.memory_bytes);
        let register = u32::from(shape.size.register_bytes);
        let skipped = if shape.size.is_high { register - memory } else { 0 };
        let piece = |part, offset| Piece { part, offset, bytes: memory, certain: lanes, possible: lanes };
        // The data of an atomic operation stand in its first source, of which the shape is not written.
        let data_location = if kind == AccessKind::Atomic {
            view.numbered_operand(OperandName::SRC1_DATA).map_or(place, |(p, _)| p)
        } else {
            place
        };
        let start = self.lsc_data_location(view, data_location);
        match shape.kind {
            LscShapeKind::Vector { n_elements, is_transposed } => {
                let n_elements = u32::from(n_elements);
                let pieces = (0..n_elements)
                    .map(|k| piece(if n_elements == 1 { Part::Whole } else { Part::Block(k) }, u64::from(k * memory)))
                    .collect();
                let group = if is_transposed { register } else { (n * register).next_multiple_of(self.cx().grf_bytes) };
                let data = start.map_or(Data::None, |start| Data::Grouped { start, group, stride: register, skipped });
                Some((pieces, data))
            }
            LscShapeKind::Channels(mask) => {
                let pieces = (0..4)
                    .filter(|c| mask >> c & 1 == 1)
                    .map(|c| piece(Part::Channel(c), u64::from(c * memory)))
                    .collect();
                let group = (n * register).next_multiple_of(self.cx().grf_bytes);
                let data = start.map_or(Data::None, |start| Data::Grouped { start, group, stride: register, skipped });
                Some((pieces, data))
            }
            LscShapeKind::Block2d { .. } | LscShapeKind::TypedBlock2d { .. } => None,
        }
    }

    fn lsc_data_location(&self, view: &View, place: usize) -> Option<Location> {
        match view.operands.get(place)? {
            Operand::LscData { .. } | Operand::Raw { .. } => self.raw_location(&view.operands[place]),
            _ => None,
        }
    }

    /// Bytes from the begin of the destination to the last one that a load brings: what is behind them in the last register
    /// is not defined. Blocks of two dimensions are filled up with zeros.
    #[must_use]
    pub fn lsc_loaded_bytes(&self, shape: &LscShape, n: u32) -> Option<u32> {
        let register = u32::from(shape.size.register_bytes);
        match shape.kind {
            LscShapeKind::Vector { n_elements, is_transposed: true } => Some(u32::from(n_elements) * register),
            _ => self.lsc_data_bytes(shape, n),
        }
    }

    /// Bytes of registers that the data of an LSC message take.
    #[must_use]
    pub fn lsc_data_bytes(&self, shape: &LscShape, n: u32) -> Option<u32> {
        let register = u32::from(shape.size.register_bytes);
        let group = (n * register).next_multiple_of(self.cx().grf_bytes);
        Some(match shape.kind {
            LscShapeKind::Vector { n_elements, is_transposed: true } => {
                (u32::from(n_elements) * register).next_multiple_of(self.cx().grf_bytes)
            }
            LscShapeKind::Vector { n_elements, .. } => u32::from(n_elements) * group,
            LscShapeKind::Channels(mask) => mask.count_ones() * group,
            LscShapeKind::Block2d { n_blocks, is_vnni, .. } => {
                let (row, rows) = shape.kind.block_rows()?;
                // Rows that make a dword together are packed, also where the last ones are missing.
                let rows = if is_vnni && register < 4 { rows.next_multiple_of(4 / u64::from(register)) } else { rows };
                let block = row.checked_mul(rows)?.checked_mul(u64::from(register))?;
                let block = block.checked_next_multiple_of(u64::from(self.cx().grf_bytes))?;
                u32::try_from(block.checked_mul(u64::from(n_blocks))?).ok()?
            }
            LscShapeKind::TypedBlock2d { .. } => {
                let (row, rows) = shape.kind.block_rows()?;
                u32::try_from(row.checked_mul(rows)?).ok()?.checked_next_multiple_of(self.cx().grf_bytes)?
            }
        })
    }
}
