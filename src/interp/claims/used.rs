//! Which bytes of variables any instruction reads. Compilers load more than they need, where one message brings it all; what
//! stays unread makes no race.

use crate::interp::claims::Claims;
use crate::interp::state::Reader;
use crate::interp::transfer::message::{Data, Message};
use crate::program::{InstructionIndex, Operand, View};
use rustc_hash::FxHashMap;

/// Which bytes of variables are read.
#[derive(Default)]
pub struct Used {
    /// For each variable, whether each byte is; nothing if all are.
    bytes: FxHashMap<usize, Option<Vec<bool>>>,
}

impl Used {
    /// Reads all instructions of the object.
    pub fn of(reader: &Reader) -> Self {
        Self::by(reader, |_| true)
    }

    /// Reads some of the instructions of the object.
    pub fn by(reader: &Reader, is_read: impl Fn(InstructionIndex) -> bool) -> Self {
        let mut used = Self::default();
        let indices = reader.cx().object.instructions.clone().map(InstructionIndex).filter(|index| is_read(*index));
        for view in indices.filter_map(|index| View::new(reader.cx().program, index)) {
            for (_, operand, slot) in view.numbered_operands() {
                if let Operand::LscAddress { index } = operand {
                    used.read_address(reader, *index);
                } else if slot.role.reads() {
                    let extent = match operand {
                        Operand::LscData { .. } => reader
                            .lsc_shape(&view)
                            .and_then(|(_, shape)| reader.lsc_data_bytes(&shape, view.n_lanes()))
                            .map(i64::from),
                        _ => slot.bytes.and_then(|f| {
                            let bytes =
                                operand.variable().map_or(4, |v| reader.cx().program.variables[v].element_bytes());
                            view.evaluate(f, reader.cx().grf_bytes, bytes)
                        }),
                    };
                    used.read(reader, &view, operand, extent);
                }
            }
        }
        for root in &reader.cx().addressed {
            used.bytes.insert(*root, None);
        }
        used
    }

    fn read_address(&mut self, reader: &Reader, index: u32) {
        let Some(address) = reader.cx().program.lsc_addresses.get(index as usize) else { return };
        let items = &reader.cx().program.lsc_items[address.first_item as usize..address.items_end as usize];
        for value in items.iter().map(|i| i.value).chain(address.surface) {
            if let Some((root, _)) = value.variable().and_then(|v| reader.cx().root(v)) {
                self.bytes.insert(root, None);
            }
        }
    }

    fn read(&mut self, reader: &Reader, view: &View, operand: &Operand, extent: Option<i64>) {
        if let Some((at, _)) = reader.direct_location(operand) {
            for lane in 0..view.n_lanes() {
                let start = at.start_of(lane);
                self.mark(reader, at.root, start, i64::from(at.bytes));
            }
        } else if let (Some(at), Some(extent)) = (reader.raw_location(operand), extent) {
            self.mark(reader, at.root, at.start, extent);
        } else if let Some((root, _)) = operand.variable().and_then(|v| reader.cx().root(v)) {
            self.bytes.insert(root, None);
        }
    }

    /// Marks bytes of a variable; what is not in it is not read.
    fn mark(&mut self, reader: &Reader, root: usize, start: i64, n_bytes: i64) {
        let all = || Some(vec![false; reader.content_bytes(root) as usize]);
        let Some(bytes) = self.bytes.entry(root).or_insert_with(all) else { return };
        let inside = |at: i64| usize::try_from(at).unwrap_or(0).min(bytes.len());
        let (start, end) = (inside(start), inside(start.saturating_add(n_bytes)));
        bytes[start..end].fill(true);
    }

    /// Whether any instruction is known to read some bytes.
    pub fn has_reader(&self, root: usize, bytes: std::ops::Range<usize>) -> bool {
        match self.bytes.get(&root) {
            None => false,
            Some(None) => true,
            Some(Some(all)) => all.get(bytes).is_some_and(|some| some.iter().any(|b| *b)),
        }
    }

    fn reads(&self, root: usize, start: i64, n_bytes: u32) -> bool {
        match self.bytes.get(&root) {
            // Where nothing is read at all, it was not loaded with something else.
            None | Some(None) => true,
            Some(Some(bytes)) => {
                let start = usize::try_from(start).unwrap_or(0);
                bytes.iter().skip(start).take(n_bytes as usize).any(|b| *b)
            }
        }
    }
}

impl<'p> Claims<'_, 'p> {
    /// Whether any instruction reads what a lane loads with a part of a message.
    pub(in crate::interp) fn is_used(
        &mut self,
        used: &Used,
        view: &View<'p>,
        message: &Message,
        (lane, piece): (u32, usize),
    ) -> bool {
        let writes = |(_, _, slot): &(usize, &Operand, &crate::spec::instruction::OperandSlot)| slot.role.writes();
        let Some(place) = view.numbered_operands().find(writes).map(|(place, _, _)| place) else { return true };
        let Some(start) = self.reader.raw_location(&view.operands[place]) else { return true };
        let (offset, n_bytes) = match message.data {
            Data::None => return true,
            Data::Grouped { group, stride, .. } => (piece as u32 * group + lane * stride, stride),
            Data::Table(access) => match self.reader.table_target(view, access, message, piece) {
                Some((first, stride)) => (first + lane * stride, access.value_bytes),
                None => return true,
            },
        };
        used.reads(start.root, start.start + i64::from(offset), n_bytes)
    }
}
