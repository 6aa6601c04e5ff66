//! Which bytes of its variable an operand takes, and which lane takes which.

use crate::program::View;
use crate::program::lsc::{LscShape, LscShapeKind};
use crate::program::{Operand, VariableId};
use crate::spec::expression::{Expression, Numbers, Variable};
use crate::spec::instruction::{Access, Each, OperandSlot};
use crate::spec::predefined::VariableKind;

/// An element that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Its first byte, counted from the start of the variable.
    pub byte: i64,
    /// The lane that takes it; nothing if it belongs to no lane.
    pub lane: Option<u32>,
    /// The letter of the channel: R, G, B, A, or x, y, z, w.
    pub channel: Option<char>,
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
                Some(Self { variable, element_bytes, taken: taken.collect() })
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
    Elements { variable, element_bytes, taken }
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
            return Some(Elements { variable, element_bytes: access.value_bytes.max(1), taken });
        }
    }
    let lane_bytes = view.row.accesses.iter().find_map(|a| per_lane(a.address?, index));
    let bytes = view.evaluate(slot.bytes?, grf_bytes, element_bytes)?;
    let mut elements = whole(variable, start, bytes, element_bytes);
    if lane_bytes.is_some() && elements.taken.len() as u32 == view.exec_size() {
        for (lane, taken) in elements.taken.iter_mut().enumerate() {
            taken.lane = Some(lane as u32);
        }
    }
    Some(elements)
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
        Elements { variable, element_bytes, taken }
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
        LscShapeKind::Block2d { n_blocks, width, height, is_transposed, .. } => {
            let (row, rows) = if is_transposed { (height, width) } else { (width, height) };
            let row_bytes = i64::from(row).saturating_mul(i64::from(element_bytes)).min(MAX_ELEMENTS);
            // Rows are padded to a power of two, blocks to whole registers.
            let block = (row_bytes.max(1) as u64).next_power_of_two() * u64::from(rows).min(MAX_ELEMENTS as u64);
            let block = block.next_multiple_of(u64::from(grf_bytes)) as i64;
            whole(variable, start, block.saturating_mul(i64::from(n_blocks)), element_bytes)
        }
        LscShapeKind::TypedBlock2d { width, height } => {
            whole(variable, start, i64::from(width).saturating_mul(i64::from(height)), 1)
        }
    }
}
