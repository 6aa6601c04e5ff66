//! Which bytes of its variable an operand takes, and which lane takes which.

use crate::program::View;
use crate::program::lsc::{LscShape, LscShapeKind};
use crate::program::{Operand, VariableId};
use crate::spec::OperandName;
use crate::spec::expression::{Expression, Numbers, Variable};
use crate::spec::instruction::{Access, Custom, Each, OperandSlot};
use crate::spec::predefined::VariableKind;

/// An element that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Its first byte, counted from the start of the variable.
    pub byte: i64,
    /// The lane that takes it, or the row or column of a block; nothing if it belongs to none.
    pub lane: Option<u32>,
    /// The letter of the channel (R, G, B, A, or x, y, z, w), or of one of several blocks.
    pub channel: Option<char>,
}

/// What the numbers of elements count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counted {
    /// Lanes; letters are channels.
    #[default]
    Lanes,
    /// Rows of a block of memory; letters are blocks.
    Rows,
    /// Columns of a block of memory; letters are blocks.
    Columns,
}

/// The bytes that an operand takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements {
    /// The variable.
    pub variable: VariableId,
    /// Bytes of one element.
    pub element_bytes: u32,
    /// The elements, in no order; some may stand twice.
    pub taken: Vec<Taken>,
    /// What their numbers count.
    pub counted: Counted,
}

/// More elements than this are not listed: no instruction takes so many.
const MAX_ELEMENTS: i64 = 4096;

impl Elements {
    /// The elements of an operand where registers have `grf_bytes` bytes; nothing if it takes no bytes of a general
    /// variable, or if they are not known.
    #[must_use]
    pub fn new(view: &View, operand: &Operand, slot: &OperandSlot, grf_bytes: u32) -> Option<Self> {
        let program = view.program;
        let variable = operand.variable()?;
        let row = &program.variables[variable];
        if variable == VariableId::NULL || row.kind != VariableKind::General {
            return None;
        }
        let element_bytes = row.element_bytes().max(1);
        let at = |row: i32, column: i32| {
            i64::from(row) * i64::from(grf_bytes) + i64::from(column) * i64::from(element_bytes)
        };
        let lanes = view.exec_size();
        match *operand {
            Operand::General { row, column, region, .. } => {
                let lanes = if slot.scalar { 1 } else { lanes };
                let taken = (0..lanes).map(|lane| Taken {
                    byte: at(row, column) + i64::from(region.element(lane)) * i64::from(element_bytes),
                    lane: Some(lane),
                    channel: None,
                });
                Some(Self { variable, element_bytes, taken: taken.collect(), counted: Counted::Lanes })
            }
            Operand::Raw { byte_offset, .. } => {
                raw(view, slot, variable, i64::from(byte_offset), element_bytes, grf_bytes)
            }
            Operand::Element { row, column, .. } => {
                raw(view, slot, variable, at(row, column), element_bytes, grf_bytes)
            }
            Operand::WithLength { byte_offset, length, .. } => {
                Some(whole(variable, i64::from(byte_offset), i64::from(length), element_bytes))
            }
            Operand::LscData { byte_offset, shape, .. } => {
                let shape = program.lsc_shapes.get(shape as usize)?;
                Some(lsc(variable, i64::from(byte_offset), shape, lanes, grf_bytes))
            }
            _ => None,
        }
    }

    /// The first byte, and one past the last.
    #[must_use]
    pub fn range(&self) -> Option<std::ops::Range<i64>> {
        let start = self.taken.iter().map(|t| t.byte).min()?;
        let end = self.taken.iter().map(|t| t.byte).max()? + i64::from(self.element_bytes);
        Some(start..end)
    }
}

/// All elements of some bytes, of no lane in particular.
fn whole(variable: VariableId, start: i64, bytes: i64, element_bytes: u32) -> Elements {
    let n = (bytes / i64::from(element_bytes)).clamp(0, MAX_ELEMENTS);
    let taken =
        (0..n).map(|i| Taken { byte: start + i * i64::from(element_bytes), lane: None, channel: None }).collect();
    Elements { variable, element_bytes, taken, counted: Counted::Lanes }
}

/// A raw operand: what the accesses of the instruction say of each lane and channel, or else all of its bytes.
fn raw(
    view: &View,
    slot: &OperandSlot,
    variable: VariableId,
    start: i64,
    element_bytes: u32,
    grf_bytes: u32,
) -> Option<Elements> {
    let index = view.row.slot(slot.name)?;
    for access in view.row.accesses {
        if let Some(Expression::Element(operand, formula)) = access.value
            && usize::from(*operand) == index
            && let Some(taken) = accessed(view, access, formula, start, grf_bytes)
        {
            return Some(Elements {
                variable,
                element_bytes: access.value_bytes.max(1),
                taken,
                counted: Counted::Lanes,
            });
        }
    }
    let bytes = view.evaluate(slot.bytes?, grf_bytes, element_bytes)?;
    let mut elements = whole(variable, start, bytes, element_bytes);
    if let Some(unit) = matrix_unit(view, slot, element_bytes) {
        // Each lane is a column of the matrix.
        for taken in &mut elements.taken {
            taken.lane = Some(((taken.byte - start) / i64::from(unit)) as u32 % view.n_lanes());
        }
        return Some(elements);
    }
    let is_per_lane = view.row.accesses.iter().any(|a| a.address.is_some_and(|f| per_lane(f, index).is_some()));
    if is_per_lane && elements.taken.len() as u32 == view.exec_size() {
        for (lane, taken) in elements.taken.iter_mut().enumerate() {
            taken.lane = Some(lane as u32);
        }
    }
    Some(elements)
}

/// Bytes that a lane has of one row of a matrix: an element of the accumulator and the result, and of the first factor as
/// many elements as fit into four bytes. Rows of the second factor belong to all lanes.
fn matrix_unit(view: &View, slot: &OperandSlot, element_bytes: u32) -> Option<u32> {
    if view.row.custom != Some(Custom::Dpas) {
        return None;
    }
    match slot.name {
        OperandName::DST | OperandName::SRC0 => Some(element_bytes),
        OperandName::SRC1 => Some(4),
        _ => None,
    }
}

/// Whether a formula takes one element of the operand for each lane: `operand[lane]`.
fn per_lane(formula: &Expression, operand: usize) -> Option<()> {
    match formula {
        Expression::Element(o, index) => {
            (usize::from(*o) == operand && matches!(index, Expression::Variable(Variable::Lane))).then_some(())
        }
        Expression::Binary(_, a, b) => per_lane(a, operand).or_else(|| per_lane(b, operand)),
        _ => None,
    }
}

/// The elements that an access takes, one for each lane, channel and block.
fn accessed(view: &View, access: &Access, formula: &Expression, start: i64, grf_bytes: u32) -> Option<Vec<Taken>> {
    let by = |each: Each| access.each.contains(&each);
    let lanes = if by(Each::Lane) { view.exec_size() } else { 1 };
    let mask = if by(Each::Channel) { view.channel_mask()? } else { 1 };
    let blocks = if by(Each::Block) { view.exec_size() } else { 1 };
    let mut taken = Vec::new();
    for block in 0..blocks {
        for (position, channel) in (0..4u8).filter(|c| mask >> c & 1 == 1).enumerate() {
            for lane in 0..lanes {
                let element = formula.evaluate(&mut Numbers(|variable| match variable {
                    Variable::Lane => Some(i64::from(lane)),
                    Variable::Block => Some(i64::from(block)),
                    Variable::Channel => Some(i64::from(channel)),
                    Variable::ChannelPosition => Some(position as i64),
                    other => view.evaluate(&Expression::Variable(other), grf_bytes, access.value_bytes),
                }))?;
                taken.push(Taken {
                    byte: start + element * i64::from(access.value_bytes),
                    lane: by(Each::Lane).then_some(lane),
                    channel: by(Each::Channel).then(|| ['R', 'G', 'B', 'A'][usize::from(channel)]),
                });
            }
        }
    }
    Some(taken)
}

/// The data of an LSC message: one block of registers for each element of the vector or channel; transposed ones lie
/// side by side.
fn lsc(variable: VariableId, start: i64, shape: &LscShape, lanes: u32, grf_bytes: u32) -> Elements {
    let element_bytes = u32::from(shape.size.register_bytes).max(1);
    let of_lanes = |letters: &[Option<char>]| {
        let block = i64::from((lanes * element_bytes).next_multiple_of(grf_bytes));
        let mut taken = Vec::new();
        for (i, channel) in letters.iter().enumerate() {
            for lane in 0..lanes {
                taken.push(Taken {
                    byte: start + i as i64 * block + i64::from(lane * element_bytes),
                    lane: Some(lane),
                    channel: *channel,
                });
            }
        }
        Elements { variable, element_bytes, taken, counted: Counted::Lanes }
    };
    match shape.kind {
        LscShapeKind::Vector { n_elements, is_transposed: true } => {
            whole(variable, start, i64::from(n_elements) * i64::from(element_bytes), element_bytes)
        }
        LscShapeKind::Vector { n_elements, is_transposed: false } => of_lanes(&vec![None; usize::from(n_elements)]),
        LscShapeKind::Channels(mask) => {
            let letters: Vec<Option<char>> =
                "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, c)| Some(c)).collect();
            of_lanes(&letters)
        }
        LscShapeKind::Block2d { n_blocks, width, height, is_transposed, is_vnni } => {
            let (row, rows) = if is_transposed { (height, width) } else { (width, height) };
            // Of several rows, the elements that fill four bytes lie side by side.
            let group = if is_vnni { (4 / element_bytes).max(1) } else { 1 };
            let block = Block { start, row, rows, group, element_bytes, grf_bytes };
            let taken = block.elements(n_blocks);
            let counted = if is_transposed { Counted::Columns } else { Counted::Rows };
            Elements { variable, element_bytes, taken, counted }
        }
        LscShapeKind::TypedBlock2d { width, height } => {
            whole(variable, start, i64::from(width).saturating_mul(i64::from(height)), 1)
        }
    }
}

/// A rectangle of memory as it lies in registers.
struct Block {
    start: i64,
    /// Elements of one row in registers.
    row: u32,
    rows: u32,
    /// Rows whose elements lie side by side.
    group: u32,
    element_bytes: u32,
    grf_bytes: u32,
}

impl Block {
    /// The elements of so many blocks, one behind the other. Rows are padded to a power of two, blocks to whole registers.
    fn elements(&self, n_blocks: u32) -> Vec<Taken> {
        let size = i64::from(self.element_bytes);
        let bound = |n: u32| i64::from(n).min(MAX_ELEMENTS);
        let row_bytes = (bound(self.row).max(1) * size) as u64;
        let pitch = row_bytes.next_power_of_two() as i64 * i64::from(self.group);
        let n_groups = (bound(self.rows) as u64).div_ceil(u64::from(self.group));
        let block_bytes = (pitch as u64).saturating_mul(n_groups).next_multiple_of(u64::from(self.grf_bytes)) as i64;
        let mut taken = Vec::new();
        for block in 0..bound(n_blocks) {
            let letter = (n_blocks > 1).then(|| char::from(b'a' + (block % 26) as u8));
            for row in 0..bound(self.rows) {
                let (in_group, group) = (row % i64::from(self.group), row / i64::from(self.group));
                for element in 0..bound(self.row) {
                    if taken.len() as i64 >= MAX_ELEMENTS {
                        return taken;
                    }
                    let place = element * i64::from(self.group) + in_group;
                    taken.push(Taken {
                        byte: self.start + block * block_bytes + group * pitch + place * size,
                        lane: Some(row as u32),
                        channel: letter,
                    });
                }
            }
        }
        taken
    }
}
